/// <reference types="vite/client" />
declare module 'virtual:theme.css';
declare module 'virtual:actions' {
  type Card = import('./area/task/action/catalogue.ts').ActionCard;
  type Icon = typeof import('@tabler/icons-react').IconPower;
  export const catalogue: readonly (Pick<Card, 'key' | 'right'> & { icon: Icon })[];
}
declare module 'virtual:actions/forms' {
  type Card = import('./area/task/action/catalogue.ts').ActionCard;
  export const forms: Readonly<Record<string, Card['fields']>>;
}
declare module 'virtual:text/*' {
  const texts: Record<string, string>;
  export default texts;
}
