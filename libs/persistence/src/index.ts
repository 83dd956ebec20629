export * from './database.ts';
export * from './transaction.ts';
export * from './tenant.entity.ts';
export * from './platform.ts';
export * from './page.ts';
export * from './migrate.ts';
export * from './policy-check.ts';
export * from './schema-check.ts';
export { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
