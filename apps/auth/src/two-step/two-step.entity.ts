import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A company's login settings. The row's id is the company's. */
const CompanyLoginSchema = defineEntity({
  name: 'CompanyLogin',
  tableName: 'company_login',
  ...tenant(),
  properties: {
    ...tenantProperties,
    twoStep: p.boolean().default(false),
    apiOpen: p.boolean().default(false),
    updatedAt: instant(3),
  },
});
export class CompanyLogin extends CompanyLoginSchema.class {}
CompanyLoginSchema.setClass(CompanyLogin);

const TotpSchema = defineEntity({
  name: 'Totp',
  tableName: 'totp',
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid().unique('totp_user_id_key'),
    /** Encrypted, because unlike a password it is needed in clear text. */
    secret: p.text(),
    confirmedAt: instant(3).strictNullable(),
    /** The step of the last accepted code: no code counts twice (RFC 6238, section 5.2). */
    lastStep: p.integer().default(0),
  },
});
export class Totp extends TotpSchema.class {}
TotpSchema.setClass(Totp);

const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  uniques: [{ name: 'recovery_code_user_id_hash_key', properties: ['userId', 'hash'] }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    hash: p.blob().$type<Buffer>(),
    usedAt: instant(3).strictNullable(),
  },
});
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);

const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkey',
  indexes: [{ name: 'passkey_user', expression: 'create index passkey_user on passkey (user_id)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    credentialId: p.text().unique('passkey_credential_id_key'),
    publicKey: p.blob().$type<Buffer>(),
    counter: p.bigint('number'),
    transports: p.array(),
    name: p.string().length(64),
    createdAt: instant(3),
    lastUsedAt: instant(3).strictNullable(),
  },
});
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);
