import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Failure } from '@carillon/service';
import type { AuthConfig } from '../config.ts';

/** Memory in KiB, passes, lanes: OWASP's recommendation for Argon2id password storage (19 MiB, 2, 1). */
const cost = { memory: 19_456, passes: 2, parallelism: 1 } as const;
type Cost = { memory: number; passes: number; parallelism: number };
const tagLength = 32;
const atOnce = 2;
const mostWaiting = 200;

/** The hash input: the MD5 that clients send, keyed with a server secret, so that lists of MD5s from elsewhere are useless. */
const keyed = (md5: string, pepper: Buffer): Buffer => createHmac('sha256', pepper).update(md5.toLowerCase()).digest();

function derive(message: Buffer, nonce: Buffer, how: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, tagLength, ...how }, (error, tag) => {
      if (error) reject(error);
      else resolve(Buffer.from(tag));
    });
  });
}

const base64 = (b: Buffer): string => b.toString('base64').replace(/={1,2}$/, '');
const phc = (nonce: Buffer, tag: Buffer): string =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`;
const phcPattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Returns the stored form of the hash of an MD5 in hex. */
export async function hashPassword(md5: string, pepper: Buffer): Promise<string> {
  const nonce = randomBytes(16);
  return phc(nonce, await derive(keyed(md5, pepper), nonce, cost));
}

export interface Verdict {
  right: boolean;
  /** The stored hash has another cost and needs to be replaced. */
  outdated: boolean;
}

/**
 * Checks passwords in Node's thread pool, at most two at once, because each takes 19 MiB and a core. Others queue;
 * beyond {@link mostWaiting} they are refused with 503.
 */
@Injectable()
export class PasswordService {
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  /** Used for unknown names, so that they cost the same work and time (AUTH-06). */
  private readonly nobody = phc(randomBytes(16), randomBytes(tagLength));

  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  async verify(md5: string, stored: string | undefined): Promise<Verdict> {
    const [, memory, passes, parallelism, nonce, tag] =
      phcPattern.exec(stored ?? this.nobody) ?? phcPattern.exec(this.nobody)!;
    const how = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const made = await this.inTurn(() =>
      derive(keyed(md5, this.config.passwordPepper), Buffer.from(nonce!, 'base64'), how),
    );
    const wanted = Buffer.from(tag!, 'base64');
    const same = made.length === wanted.length && timingSafeEqual(made, wanted);
    return {
      right: same && stored !== undefined,
      outdated: how.memory !== cost.memory || how.passes !== cost.passes || how.parallelism !== cost.parallelism,
    };
  }

  hash(md5: string): Promise<string> {
    return this.inTurn(() => hashPassword(md5, this.config.passwordPepper));
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= atOnce) {
      if (this.waiting.length >= mostWaiting) throw new Failure('common.unavailable');
      // The check that ends passes its slot on, so `running` does not change.
      await new Promise<void>((resume) => {
        this.waiting.push(resume);
      });
    } else {
      this.running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
