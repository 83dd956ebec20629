export * from './task.schemas.ts';
export * from './task.routes.ts';
