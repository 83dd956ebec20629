export * from './bus.ts';
export * from './transient.ts';
export { PostgresBus, migrateBus, type BusConnection, type PostgresBusOptions } from './drivers/postgres.ts';
