import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * The mail server of the system configuration, copied from `license.config.v1`; its password is sealed. One row or
 * none.
 */
const MailServerSchema = defineEntity({
  name: 'MailServer',
  tableName: 'mail_server',
  properties: { key: p.string().length(32).primary(), server: p.json(), version: p.bigint() },
});
export class MailServer extends MailServerSchema.class {}
MailServerSchema.setClass(MailServer);
