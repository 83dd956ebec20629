import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { authSession } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { Failure } from '@carillon/service';
import { PasswordService } from '../login/password.service.ts';
import { emitUserEntry } from '../user/user-entry.ts';
import { countUnlock, storeLock } from './session.queries.ts';
import { SessionService } from './session.service.ts';

const mostTries = 5;
/** Lock passwords are stored like account passwords, which are hashed from an MD5. */
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The server side of the lock screen: the lock holds whatever the browser does with its own flag (AUTH-09). */
@Injectable()
export class LockService {
  constructor(
    private readonly database: Database,
    private readonly passwords: PasswordService,
    private readonly sessions: SessionService,
  ) {}

  /** Runs inside the transaction of the call. */
  async lock(password: string): Promise<void> {
    const own = this.own();
    await storeLock(own.sessionId, await this.passwords.hash(md5(password)));
    await emit(
      authSession,
      'locked',
      own.sessionId,
      { sessionId: own.sessionId, userId: own.userId },
      { companyId: own.companyId },
    );
  }

  /** Counts each attempt before it is checked, so that parallel attempts cannot exceed five. */
  async unlock(password: string): Promise<void> {
    const own = this.own();
    const tried = await this.inCompany(async () => {
      const counted = await countUnlock(own.sessionId, mostTries);
      if (counted === 'over') await this.sessions.end(own, new Date(), 'lock');
      return counted;
    });
    if (tried === 'unlocked') return;
    if (tried === 'over') throw new Failure('common.tokenInvalid');
    const { right } = await this.passwords.verify(md5(password), tried.hash);
    const last = tried.tries >= mostTries;
    await this.inCompany(async () => {
      if (right) {
        await storeLock(own.sessionId, null);
        await emit(
          authSession,
          'unlocked',
          own.sessionId,
          { sessionId: own.sessionId, userId: own.userId },
          { companyId: own.companyId },
        );
      } else if (last) {
        await this.sessions.end(own, new Date(), 'lock');
      }
      await emitUserEntry(
        own.userId,
        'session.unlock',
        right ? 'success' : last ? 'common.tokenInvalid' : 'auth.lockPasswordWrong',
        {
          objectId: own.sessionId,
        },
      );
    });
    if (!right)
      throw last
        ? new Failure('common.tokenInvalid')
        : new Failure('auth.lockPasswordWrong', { left: mostTries - tried.tries });
  }

  private own(): { sessionId: string; userId: string; companyId: string } {
    const { sessionId, userId, companyId } = context();
    // An API token has no session.
    if (sessionId === null) throw new Failure('common.notFound');
    return { sessionId, userId: userId!, companyId };
  }

  private inCompany<T>(fn: () => Promise<T>): Promise<T> {
    return transaction(this.database, companySession(context().companyId), fn);
  }
}
