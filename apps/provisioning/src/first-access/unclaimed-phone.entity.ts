import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '@carillon/persistence';

/** A phone that asks for a configuration and whose MAC no company has (DEV-10). */
const UnclaimedPhoneSchema = defineEntity({
  name: 'UnclaimedPhone',
  tableName: 'unclaimed_phone',
  indexes: [
    { name: 'unclaimed_phone_last', expression: 'create index unclaimed_phone_last on unclaimed_phone (last_at)' },
  ],
  properties: {
    mac: p.string().length(12).primary(),
    maker: p.string().length(32),
    userAgent: p.string().length(256),
    address: p.string().length(45),
    times: p.integer(),
    firstAt: instant(3),
    lastAt: instant(3),
  },
});
export class UnclaimedPhone extends UnclaimedPhoneSchema.class {}
UnclaimedPhoneSchema.setClass(UnclaimedPhone);
