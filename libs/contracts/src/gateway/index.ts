export * from './gateway.routes.ts';
export * from './gateway.topics.ts';
