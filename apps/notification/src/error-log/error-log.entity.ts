import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** An error that a browser noted and handed in (spec, section 3: local error-log entry). */
const ErrorLogSchema = defineEntity({
  name: 'ErrorLog',
  tableName: 'error_log',
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid().nullable(),
    username: p.string().length(128),
    at: p.datetime(3),
    url: p.string().length(1024),
    time: p.datetime(3),
    type: p.string().length(64),
    message: p.string().length(2048),
    stack: p.string().length(8192),
    info: p.string().length(2048),
  },
});
export class ErrorLog extends ErrorLogSchema.class {}
ErrorLogSchema.setClass(ErrorLog);
