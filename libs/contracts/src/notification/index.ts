export * from './notification.routes.ts';
export * from './notification.topics.ts';
export * from './message.schemas.ts';
export * from './message.routes.ts';
export * from './message.topics.ts';
export * from './mail.routes.ts';
export * from './mail.schemas.ts';
export * from './mail.topics.ts';
