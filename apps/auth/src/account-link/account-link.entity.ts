import { defineEntity, p } from '@mikro-orm/postgresql';
import { linkKinds } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A link that was mailed: it works once and for 3 days (spec, section 9). Only the hash of its secret is kept. */
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
    /** SHA-256 of 32 random bytes: nothing to guess, so no slow hash. */
    hash: p.blob().$type<Buffer>(),
    /** The new address, of a change of email. */
    email: p.string().length(254).strictNullable(),
    createdAt: instant(3),
    expiresAt: instant(3),
    /** Used, or made worthless by a newer one or by a change that it must not outlive. */
    usedAt: instant(3).strictNullable(),
  },
});
export class AccountLink extends AccountLinkSchema.class {}
AccountLinkSchema.setClass(AccountLink);
