import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { currentEntities, currentSql } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { accessChanged } from './access.ts';
import { User } from './user.entity.ts';

/** What failures under a name or an email are counted by, as it was typed: they ask for a captcha (login.service.ts). */
export const typedKey = (pepper: AuthConfig['passwordPepper'], name: string): Buffer =>
  createHmac('sha256', pepper).update(`typed ${name.toLowerCase()}`).digest();

/**
 * Who is locked by failed logins (AUTH-05): those are counted under a keyed hash of the account, without its company.
 */
@Injectable()
export class UserLocks {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /** Of the users that the session sees. */
  async locked(): Promise<string[]> {
    const { rows } = await currentSql().query<{ hash: Buffer }>(
      'select name_hash as hash from login_failure where locked_until > now()',
    );
    if (rows.length === 0) return [];
    const hashes = new Set(rows.map((r) => r.hash.toString('hex')));
    const users = await currentSql().query<{ id: string }>('select id from user_account');
    return users.rows.map((u) => u.id).filter((id) => hashes.has(this.keyOf(id).toString('hex')));
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
    const { rows } = await currentSql().query<{ id: string }>(
      `
        update user_account
        set locked_until = null
        where id = any ($1::uuid[]) and locked_until is not null
        returning id
      `,
      [ids],
    );
    if (rows.length > 0) await accessChanged(rows.map((u) => u.id));
  }

  private keyOf(userId: string): Buffer {
    return createHmac('sha256', this.config.passwordPepper).update(userId).digest();
  }
}
