import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import svgCaptcha from 'svg-captcha';
import { captchaSeconds } from '@carillon/contracts';
import { CACHE, CONFIG, Failure, type Cache } from '@carillon/service';
import type { AuthConfig } from '../config.ts';

/** Without letters that look alike: 0 and O, 1, I and l, 2 and Z, 5 and S. */
const letters = 'ABCDEFGHJKLMNPQRTUVWXY346789';
const length = 5;
/** Takes about a tenth of a second of one core here. Many small rounds make the duration predictable. */
const work = { rounds: 12, bits: 13 } as const;

/** The package's types omit its own function, and `create` would take the text from Math.random. */
const draw = svgCaptcha as unknown as (text: string, options: Parameters<typeof svgCaptcha.create>[0]) => string;

type Kept = { text: string } | { challenge: string };

const cacheKey = (key: string): string => `captcha:${createHash('sha256').update(key).digest('base64url')}`;
const same = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());

/** Tells whether a number solves one round. */
function worked(challenge: string, round: number, number: string): boolean {
  if (!/^\d{1,9}$/.test(number)) return false;
  return (
    createHash('sha256').update(`${challenge}:${round}:${number}`).digest().readUInt32BE(0) >>> (32 - work.bits) === 0
  );
}

/**
 * Tells people from programs, or at least makes guessing expensive (AUTH-02). The first answer, right or wrong, takes
 * the captcha out of the cache, so nobody can try twice. A captcha that is lost with the cache is requested again.
 */
@Injectable()
export class CaptchaService {
  constructor(
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: AuthConfig,
  ) {}

  neededAfter(failures: number): boolean {
    return this.config.captchaMode === 'on' || failures >= this.config.captchaAfterFailures;
  }

  async makeImage(key = randomBytes(16).toString('base64url')): Promise<{ key: string; svg: string }> {
    const text = Array.from({ length }, () => letters[randomInt(letters.length)]).join('');
    await this.keep(key, { text });
    return { key, svg: draw(text, { width: 160, height: 48, noise: 2, background: '#f4f3f0', fontSize: 50 }) };
  }

  async makeWork(): Promise<{ key: string; challenge: string; rounds: number; bits: number }> {
    const key = randomBytes(16).toString('base64url');
    const challenge = randomBytes(16).toString('hex');
    await this.keep(key, { challenge });
    return { key, challenge, ...work };
  }

  /** Throws when the answer is missing or wrong. */
  async check(key: string | undefined, code: string | undefined): Promise<void> {
    if (!key || !code) throw new Failure('auth.captchaRequired');
    const kept = await this.cache.take(cacheKey(key));
    if (kept === null || !right(JSON.parse(kept) as Kept, code.trim())) throw new Failure('auth.captchaWrong');
  }

  private keep(key: string, kept: Kept): Promise<void> {
    return this.cache.set(cacheKey(key), JSON.stringify(kept), captchaSeconds * 1000);
  }
}

function right(kept: Kept, code: string): boolean {
  if ('text' in kept) return same(kept.text, code.toUpperCase());
  const numbers = code.split('.');
  return numbers.length === work.rounds && numbers.every((number, round) => worked(kept.challenge, round, number));
}
