import { defineEntity, p } from '@mikro-orm/postgresql';
import type { MailServerFacts } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** The mail server of a company, with the company's id; its password is sealed. */
const CompanyMailServerSchema = defineEntity({
  name: 'CompanyMailServer',
  tableName: 'company_mail_server',
  ...tenant(),
  properties: {
    ...tenantProperties,
    enabled: p.boolean(),
    host: p.string().length(260),
    port: p.integer(),
    security: p.string().$type<MailServerFacts['security']>().length(8),
    userName: p.string().length(255).strictNullable(),
    sender: p.string().length(320),
    sealed: p.text().strictNullable(),
    updatedAt: changedInstant(3),
  },
});
export class CompanyMailServer extends CompanyMailServerSchema.class {}
CompanyMailServerSchema.setClass(CompanyMailServer);
