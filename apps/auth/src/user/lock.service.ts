import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { columns, currentEntities, currentSql } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { accessChanged } from './access.publisher.ts';
import { LoginFailure } from '../login/login-failure.entity.ts';
import { User } from './user.entity.ts';

const failure = columns(LoginFailure, 'f', ['nameHash']);
const user = columns(User, 'u', ['id']);

/**
 * Returns the key for counting failures under a typed name or email, which decide about captchas (login.service.ts).
 */
export const typedKey = (pepper: AuthConfig['passwordPepper'], name: string): Buffer =>
  createHmac('sha256', pepper).update(`typed ${name.toLowerCase()}`).digest();

/** Locks by failed logins (AUTH-05). Failures are stored under a keyed hash of the account, without its company. */
@Injectable()
export class UserLocks {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /** Returns the ids of the locked users that the session sees. */
  async locked(): Promise<string[]> {
    const sql = `select ${failure} from login_failure f where f.locked_until > now()`;
    const failures = await currentSql().rows(failure, sql);
    if (failures.length === 0) return [];
    const hashes = new Set(failures.map((f) => f.nameHash.toString('hex')));
    const users = await currentSql().rows(user, `select ${user} from user_account u`);
    return users.map((u) => u.id).filter((id) => hashes.has(this.keyOf(id).toString('hex')));
  }

  async unlock(ids: readonly string[]): Promise<void> {
    const users = await currentEntities().find(
      User,
      { id: { $in: [...ids] } },
      { fields: ['id', 'username', 'email'] },
    );
    const names = users.flatMap(({ username, email }) => (email === null ? [username] : [username, email]));
    await currentSql().query('delete from login_failure where name_hash = any ($1::bytea[])', [
      [...ids.map((id) => this.keyOf(id)), ...names.map((name) => typedKey(this.config.passwordPepper, name))],
    ]);
    const unlocked = await currentSql().rows(
      user,
      `
        update user_account u
        set locked_until = null
        where u.id = any ($1::uuid[]) and u.locked_until is not null
        returning ${user}
      `,
      [ids],
    );
    if (unlocked.length > 0) await accessChanged(unlocked.map((u) => u.id));
  }

  private keyOf(userId: string): Buffer {
    return createHmac('sha256', this.config.passwordPepper).update(userId).digest();
  }
}
