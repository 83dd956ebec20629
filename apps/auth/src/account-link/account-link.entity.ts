import { defineEntity, p } from '@mikro-orm/postgresql';
import { linkKinds } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A mailed link. It works once and for 3 days (AUTH-10). Only the hash of its secret is stored. */
const AccountLinkSchema = defineEntity({
  name: 'AccountLink',
  tableName: 'account_link',
  indexes: [
    {
      name: 'account_link_user',
      expression: 'create index account_link_user on account_link (user_id, kind, created_at)',
    },
    { name: 'account_link_hash', expression: 'create unique index account_link_hash on account_link (hash)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    kind: p.enum(linkKinds),
    /** SHA-256 of 32 random bytes, which cannot be guessed, so a fast hash is enough. */
    hash: p.blob().$type<Buffer>(),
    /** The new address when an email is changed. */
    email: p.string().length(254).strictNullable(),
    /** The mail with the link; null for links of earlier versions. */
    mailId: p.uuid().strictNullable(),
    createdAt: instant(3),
    expiresAt: instant(3),
    /** When the link was used, replaced by a newer one, or invalidated by a change that it must not outlive. */
    usedAt: instant(3).strictNullable(),
  },
});
export class AccountLink extends AccountLinkSchema.class {}
AccountLinkSchema.setClass(AccountLink);
