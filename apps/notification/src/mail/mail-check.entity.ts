import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '@carillon/persistence';

/** The last tests of mail servers of the installation. `server` is a keyed hash of the settings, password included. */
const MailCheckSchema = defineEntity({
  name: 'MailCheck',
  tableName: 'mail_check',
  properties: { server: p.string().length(43).primary(), passed: p.boolean(), at: instant(3) },
});
export class MailCheck extends MailCheckSchema.class {}
MailCheckSchema.setClass(MailCheck);
