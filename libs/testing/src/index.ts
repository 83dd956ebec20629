export * from './postgres.ts';
export * from './service-test.ts';
