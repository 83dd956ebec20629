export * from './log.ts';
export * from './trace.ts';
