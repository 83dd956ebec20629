export * from './config-file.routes.ts';
export * from './firmware.routes.ts';
export * from './firmware-delta.routes.ts';
export * from './resource.topics.ts';
export * from './resource-file.routes.ts';
export * from './storage.routes.ts';
export * from './export.routes.ts';
export * from './file-key.routes.ts';
