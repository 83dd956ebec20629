import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { currentSql } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { accessChanged } from './access.service.ts';

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
    await currentSql().query('delete from login_failure where name_hash = any ($1::bytea[])', [
      ids.map((id) => this.keyOf(id)),
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
