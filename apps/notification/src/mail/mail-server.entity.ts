import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventData, licenseConfig } from '@carillon/contracts';

export type StoredMailServer = EventData<typeof licenseConfig, 'mailServer'>;

/**
 * The mail server of the system configuration, copied from `license.config.v1`; its password is sealed. At most one
 * row.
 */
const MailServerSchema = defineEntity({
  name: 'MailServer',
  tableName: 'mail_server',
  properties: { key: p.string().length(32).primary(), server: p.json<StoredMailServer>(), version: p.bigint('number') },
});
export class MailServer extends MailServerSchema.class {}
MailServerSchema.setClass(MailServer);
