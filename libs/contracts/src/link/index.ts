export * from './link.schemas.ts';
export * from './link.topics.ts';
