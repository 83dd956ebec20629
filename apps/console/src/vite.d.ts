/// <reference types="vite/client" />
declare module 'virtual:theme.css';
declare module 'virtual:actions' {
  export const catalogue: readonly import('./area/task/action/params.ts').ActionCard[];
}
declare module 'virtual:text/*' {
  const texts: Record<string, string>;
  export default texts;
}
