import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** An error that a browser recorded and reported (SYS-05). */
const ErrorLogSchema = defineEntity({
  name: 'ErrorLog',
  tableName: 'error_log',
  indexes: [
    { name: 'error_log_user_at', expression: 'create index error_log_user_at on error_log (user_id, at)' },
    {
      name: 'error_log_company_at',
      expression: 'create index error_log_company_at on error_log (company_id, at desc, id desc)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    userId: p.uuid().strictNullable(),
    username: p.string().length(128),
    at: instant(3).defaultRaw('now()'),
    url: p.string().length(1024),
    time: instant(3),
    type: p.string().length(64),
    message: p.string().length(2048),
    stack: p.string().length(8192),
    info: p.string().length(2048),
  },
});
export class ErrorLog extends ErrorLogSchema.class {}
ErrorLogSchema.setClass(ErrorLog);
