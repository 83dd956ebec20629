export * from './task.schemas.ts';
export * from './task.routes.ts';
export * from './export.routes.ts';
