export * from './context.ts';
export * from './signed-context.ts';
