import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';
import { accountTypes, activationTypes, languages, userStatuses } from '@carillon/contracts';

/** Default zone, which programs are told for users who chose none (SYS-08). */
export const defaultZone = 1;

/** A person who logs in (USER-01). `user` is reserved in SQL, so the table has a longer name. */
const UserSchema = defineEntity({
  name: 'User',
  tableName: 'user_account',
  indexes: [
    {
      name: 'user_account_username',
      expression: 'create unique index user_account_username on user_account (lower((username)::text))',
    },
    {
      name: 'user_account_email',
      expression: 'create unique index user_account_email on user_account (lower((email)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    username: p.string().length(128),
    nickname: p.string().length(128),
    email: p.string().length(254).strictNullable(),
    accountType: p.enum(accountTypes),
    /** `locked` is not stored: it results from failed logins and expires by itself. */
    status: p.enum(userStatuses),
    /** Argon2id in PHC form; never leaves this table. */
    passwordHash: p.text(),
    /** Set while the password is a one-time password. */
    mustChangePassword: p.boolean().default(false),
    activation: p.enum(activationTypes).default('password'),
    activatedAt: instant(3).strictNullable(),
    /** Sees every organization, also future ones; `orgIds` is ignored then. */
    allOrgs: p.boolean().default(false),
    orgIds: p.array().columnType('uuid[]'),
    defaultOrgId: p.uuid(),
    language: p.enum(languages).strictNullable(),
    timezoneId: p.integer(),
    zoneChosen: p.boolean().default(false),
    countryId: p.integer(),
    avatar: p.text().strictNullable(),
    erpId: p.string().length(64).strictNullable(),
    /** Hints of the console that this user has dismissed. */
    dismissed: p.array().columnType('text[]').defaultRaw(`'{}'`),
    /** Names at the time of the change. */
    createdBy: p.string().length(128).strictNullable(),
    editor: p.string().length(128).strictNullable(),
    lastLoginAt: instant(3).strictNullable(),
    /** Access tokens issued earlier are invalid. Set when the password changes. */
    tokensValidAfter: instant(3),
    /** The lock as published to the API gateways; the failure count decides. */
    lockedUntil: instant(3).strictNullable(),
    /** Version of the published access. */
    version: p.integer(),
    createdAt: instant(3),
    updatedAt: instant(3),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

const UserRoleSchema = defineEntity({
  name: 'UserRole',
  tableName: 'user_role',
  indexes: [{ name: 'user_role_role', expression: 'create index user_role_role on user_role (role_id)' }],
  ...tenant(),
  properties: { ...tenantProperties, userId: p.uuid(), roleId: p.uuid() },
  uniques: [{ properties: ['userId', 'roleId'] }],
});
export class UserRole extends UserRoleSchema.class {}
UserRoleSchema.setClass(UserRole);
