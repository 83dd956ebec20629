export * from './context.ts';
export * from './signed-context.ts';
export * from './access-token.ts';
