export * from './sip.ts';
export * from './sip-account.routes.ts';
export * from './sip-server.routes.ts';
export * from './provisioning.topics.ts';
export * from './export.routes.ts';
export * from './sip-server.import.ts';
export * from './sip-account.import.ts';
