export * from './postgres.ts';
export * from './service-test.ts';
export * from './raw.ts';
export * from './link.ts';
export * from './sample.ts';
export * from './bad-bodies.ts';
export * from './isolation.ts';
export * from './permission.ts';
