/// <reference types="vite/client" />
declare module 'virtual:theme.css';
declare module 'virtual:actions' {
  type Card = import('./area/task/action/catalogue.ts').ActionCard;
  type Icon = typeof import('@tabler/icons-react').IconPower;
  export const catalogue: readonly (Pick<Card, 'key' | 'right' | 'needs'> & { icon: Icon })[];
}
declare module 'virtual:actions/forms' {
  type Card = import('./area/task/action/catalogue.ts').ActionCard;
  export const forms: Readonly<Record<string, Card['fields']>>;
  export const pacing: Readonly<Record<string, Card['pacing']>>;
  export const lateMinutes: Readonly<Record<string, number>>;
  /** The text that asks the user to type the number of devices. */
  export const destructive: readonly string[];
}
declare module 'virtual:text/*' {
  const texts: Record<string, string>;
  export default texts;
}
