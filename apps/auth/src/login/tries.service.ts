import { Inject, Injectable } from '@nestjs/common';
import { Database, platform } from '@carillon/persistence';
import { CONFIG, Failure } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { giveTryBack, isLocked, lockAfterTries, markLocked, takeTry } from './login.queries.ts';

/** How long an attempt waits for others of its account, and its polling interval, in milliseconds. */
const waitMs = 10_000;
const askMs = 40;

/** An attempt that is counted and may be checked. */
export interface Try {
  /** Marks the attempt as wrong, so it stays counted. Returns whether the account is locked now. */
  wrong(user: { id: string } | undefined): Promise<boolean>;
  /** Marks the attempt as right after the account's count was reset. */
  forgotten(): void;
}

/**
 * Limits attempts at passwords and second steps, in every call. Each attempt is counted atomically before it is
 * checked, so that of any number of parallel attempts no more than the limit are checked (AUTH-05). An attempt that was
 * right or not checked is given back. More attempts at one account wait, because a user with the right password may log
 * in many times at once.
 */
@Injectable()
export class Tries {
  private readonly lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  /** Runs `look` with a counted attempt. Throws when the account is locked. Must run outside of any transaction. */
  run<T>(key: Buffer, look: (one: Try) => Promise<T>): Promise<T> {
    return this.inLine(key.toString('hex'), async () => {
      const at = await this.take(key);
      let open = true;
      try {
        return await look({
          wrong: async (user) => {
            open = false;
            return this.wrong(key, user);
          },
          forgotten: () => {
            open = false;
          },
        });
      } finally {
        if (open) await platform(this.database, 'give a try back', () => giveTryBack(key, at));
      }
    });
  }

  private async take(key: Buffer): Promise<Date> {
    for (const until = Date.now() + waitMs; ;) {
      const now = new Date();
      const state = await platform(this.database, 'count a try', async () =>
        (await takeTry(key, now, this.limits)) ? 'taken' : (await isLocked(key, now)) ? 'locked' : 'busy',
      );
      if (state === 'taken') return now;
      // Attempts that nobody has given back in all this time were counted by a process that has ended since.
      if (state === 'busy' && now.getTime() > until)
        await platform(this.database, 'lock after tries', () => lockAfterTries(key, now, this.limits));
      if (state === 'locked' || now.getTime() > until) throw new Failure('auth.accountLocked');
      await new Promise((resolve) => {
        setTimeout(resolve, askMs);
      });
    }
  }

  private wrong(key: Buffer, user: { id: string } | undefined): Promise<boolean> {
    const now = new Date();
    return platform(this.database, 'count a failure', async () => {
      const locked = await lockAfterTries(key, now, this.limits);
      if (locked && user && (await markLocked(user.id, key, now))) await accessChanged([user.id]);
      return locked;
    });
  }

  /**
   * Runs at most as many attempts of one account at once as its limit. The others wait here, without polling the
   * database.
   */
  private async inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running >= this.config.lockFailures)
      // The attempt that ends passes its slot on, so `running` does not change.
      await new Promise<void>((resume) => {
        line.waiting.push(resume);
      });
    else line.running += 1;
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) this.lines.delete(key);
    }
  }

  private get limits(): { failures: number; windowSeconds: number; lockSeconds: number } {
    return {
      failures: this.config.lockFailures,
      windowSeconds: this.config.lockWindowSeconds,
      lockSeconds: this.config.lockSeconds,
    };
  }
}
