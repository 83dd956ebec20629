export * from './config.ts';
export * from './failure.ts';
export * from './handle.ts';
export * from './definition.ts';
export * from './host.ts';
export * from './runtime.module.ts';
export * from './audit.ts';
export * from './live.ts';
export { toAnswer } from './error.filter.ts';
