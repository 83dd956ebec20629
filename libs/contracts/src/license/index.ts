export * from './time.routes.ts';
export * from './config.schemas.ts';
export * from './config.routes.ts';
export * from './external-app.routes.ts';
export * from './license.topics.ts';
export * from './export.routes.ts';
