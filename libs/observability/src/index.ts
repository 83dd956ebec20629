export * from './log.ts';
export * from './trace.ts';
export * from './metric.ts';
export * from './meanings.ts';
