export * from './device.schemas.ts';
export * from './device.routes.ts';
export * from './device.topics.ts';
export * from './line.routes.ts';
export * from './device-group.routes.ts';
export * from './site.routes.ts';
export * from './export.routes.ts';
export * from './device-log.routes.ts';
