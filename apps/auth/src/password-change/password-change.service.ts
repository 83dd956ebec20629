import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { companySession, currentSql, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { failAt, Failure, found } from '@carillon/service';
import { AccountLinkService } from '../account-link/account-link.service.ts';
import { findUser } from '../login/login.queries.ts';
import { LoginService } from '../login/login.service.ts';
import { refuseOwnNames } from '../login/own-names.ts';
import { PasswordService } from '../login/password.service.ts';
import { SessionService } from '../session/session.service.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { emitUserEntry } from '../user/user-entry.ts';

/** The form in which every password is stored (AUTH-03). */
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Lets users who are logged in change their own password, also a one-time one (AUTH-13, AUTH-16). */
@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly database: Database,
    private readonly logins: LoginService,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
    private readonly links: AccountLinkService,
  ) {}

  async change(oldPassword: string, newPassword: string): Promise<void> {
    const { userId, sessionId } = context();
    const user = found(await this.inCompany(() => findUser(userId!)));
    // Counted like a login, so that an unattended session cannot be used to guess the password.
    if (!(await this.logins.passwordIs(user, oldPassword))) {
      await this.inCompany(() => emitUserEntry(userId!, 'user.changePassword', 'auth.oldPasswordWrong'));
      throw new Failure('auth.oldPasswordWrong');
    }
    if (newPassword === oldPassword) failAt('newPassword', 'auth.passwordSame');
    await this.inCompany(() => refuseOwnNames('newPassword', newPassword, user));
    const hash = await this.passwords.hash(md5(newPassword));
    await this.inCompany(async () => {
      const now = new Date();
      await currentSql().query(
        'update user_account set password_hash = $2, must_change_password = false where id = $1',
        [userId, hash],
      );
      // A reset link that was requested for the old password must not undo this change.
      await this.links.revoke(userId!, 'passwordReset');
      await this.sessions.endAll(userId!, now, 'user', sessionId);
      await accessChanged([userId!]);
      await emitUserEntry(userId!, 'user.changePassword', 'success');
    });
  }

  private inCompany<T>(fn: () => Promise<T>): Promise<T> {
    return transaction(this.database, companySession(context().companyId), fn);
  }
}
