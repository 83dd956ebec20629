import { checkTtl, type Cache } from './cache.ts';
import { MemoryCache } from './memory-cache.ts';
import { RedisAway, redisScript, type Redis } from './redis.ts';

const incrementScript = redisScript(`
local sum = redis.call('INCR', KEYS[1])
if sum == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return sum`);

/** Most keys remembered in an outage; for further ones an older value may come back until it expires. */
const mostTouched = 100_000;
const perCommand = 1_000;

/** The cache that all processes share. While Redis is unavailable, this process uses its own memory. */
export class RedisCache implements Cache {
  private readonly local = new MemoryCache();
  /**
   * Keys written during an outage, or by a call with an unknown outcome: deleted from Redis before it is used again.
   */
  private readonly touched = new Set<string>();

  private readonly redis: Redis;

  private constructor(redis: Redis) {
    this.redis = redis;
  }

  static async open(redis: Redis): Promise<RedisCache> {
    const cache = new RedisCache(redis);
    await redis.prepare(async (send) => {
      const keys = [...cache.touched];
      for (let i = 0; i < keys.length; i += perCommand)
        await send(['UNLINK', ...keys.slice(i, i + perCommand).map((key) => cache.key(key))]);
      for (const key of keys) cache.touched.delete(key);
      cache.local.clear();
    });
    return cache;
  }

  get(key: string): Promise<string | null> {
    return this.or(this.redis.send<string | null>(['GET', this.key(key)]), () => this.local.get(key));
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    checkTtl(ttlMs);
    const sent = this.redis.ready;
    await this.or(this.redis.send(['SET', this.key(key), value, 'PX', String(ttlMs)]), async () => {
      this.touch(key);
      // Redis may still execute the command: with a local copy the value could be taken twice.
      if (sent) await this.local.delete(key);
      else await this.local.set(key, value, ttlMs);
    });
  }

  async add(key: string, value: string, ttlMs: number): Promise<boolean> {
    checkTtl(ttlMs);
    const answer = this.redis.send<string | null>(['SET', this.key(key), value, 'PX', String(ttlMs), 'NX']);
    return this.or(
      answer.then((said) => said !== null),
      () => {
        this.touch(key);
        return this.local.add(key, value, ttlMs);
      },
    );
  }

  take(key: string): Promise<string | null> {
    return this.or(this.redis.send<string | null>(['GETDEL', this.key(key)]), () => {
      this.touch(key);
      return this.local.take(key);
    });
  }

  async increment(key: string, ttlMs: number): Promise<number> {
    checkTtl(ttlMs);
    return this.or(this.redis.script<number>(incrementScript, [this.key(key)], [ttlMs]), () => {
      this.touch(key);
      return this.local.increment(key, ttlMs);
    });
  }

  async delete(key: string): Promise<void> {
    await this.or(this.redis.send(['UNLINK', this.key(key)]), () => {
      this.touch(key);
      return this.local.delete(key);
    });
  }

  /** Closes the local cache; the caller who opened the connection closes it. */
  async close(): Promise<void> {
    await this.local.close();
  }

  private key(key: string): string {
    return `${this.redis.prefix}cache:${key}`;
  }

  private touch(key: string): void {
    if (this.touched.size < mostTouched) this.touched.add(key);
    // Still connected: Redis was full and refused only this write. Delete the old value there.
    if (this.redis.ready) void this.redis.send(['UNLINK', this.key(key)]).catch(() => {});
  }

  private async or<T>(answer: Promise<unknown>, alone: () => Promise<unknown>): Promise<T> {
    try {
      return (await answer) as T;
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error;
      return (await alone()) as T;
    }
  }
}
