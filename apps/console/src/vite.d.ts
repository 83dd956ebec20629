/// <reference types="vite/client" />
declare module 'virtual:theme.css';
declare module 'virtual:actions' {
  export const catalogue: readonly import('./action/params.ts').ActionCard[];
}
