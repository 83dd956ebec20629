export * from './bus.ts';
export * from './record.ts';
export * from './outbox.ts';
export * from './inbox.ts';
export * from './on.ts';
export * from './strategy.ts';
export * from './dead-letter.ts';
export * from './transient.ts';
export { PostgresBus, migrateBus, type BusConnection, type PostgresBusOptions } from './drivers/postgres.ts';
