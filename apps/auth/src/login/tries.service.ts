import { Inject, Injectable } from '@nestjs/common';
import { Database, platform } from '@carillon/persistence';
import { CONFIG, Failure } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import { accessChanged } from '../user/access.ts';
import { giveTryBack, isLocked, lockAfterTries, markLocked, takeTry } from './login.queries.ts';

/** How long a try waits while others of its account are looked at, and how often it asks. */
const waitMs = 10_000;
const askMs = 40;

/** A try that is counted and may be looked at. */
export interface Try {
  /** It was wrong: it stays counted. Returns whether the account is locked now. */
  wrong(user: { id: string } | undefined): Promise<boolean>;
  /** It was right, and the count of the account was taken back with it. */
  forgotten(): void;
}

/**
 * Tries at what guards an account: passwords and second steps, in whatever call. Each is counted before it is looked
 * at, in one statement, so that of any number at once no more than the limit are looked at (AUTH-05). One that was
 * right, or was not looked at in the end, is given back. Those of one account that are more wait, because a person with
 * the right password may come often.
 */
@Injectable()
export class Tries {
  private readonly lines = new Map<string, { running: number; waiting: (() => void)[] }>();

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  /** Runs `look` with a counted try; throws when the account is locked. Outside of any transaction. */
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
      // What nobody gave back in all this time was counted by a process that has ended since.
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

  /** At most as many of one account at once as it has tries; the others wait here, without asking the database. */
  private async inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    if (line.running >= this.config.lockFailures)
      // Whoever ends hands its place over, so `running` stays.
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
