export * from './postgres.ts';
export * from './service-test.ts';
export * from './raw.ts';
export * from './eventually.ts';
