export * from './org.schemas.ts';
export * from './org.routes.ts';
export * from './organization.routes.ts';
export * from './company.routes.ts';
export * from './site.routes.ts';
export * from './view.routes.ts';
export * from './site.segment.ts';
export * from './org.topics.ts';
