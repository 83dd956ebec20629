import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant } from '@carillon/persistence';

/**
 * Failed logins by name. Without a tenant on purpose: an unknown name is counted and locked like any other (AUTH-05),
 * so that a lock reveals nothing. Stores only a keyed hash of the name.
 */
const LoginFailureSchema = defineEntity({
  name: 'LoginFailure',
  tableName: 'login_failure',
  properties: {
    nameHash: p.blob().$type<Buffer>().primary(),
    failedAt: p.array().columnType('timestamptz[]'),
    lockedUntil: instant(3).strictNullable(),
  },
});
export class LoginFailure extends LoginFailureSchema.class {}
LoginFailureSchema.setClass(LoginFailure);
