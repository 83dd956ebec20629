import type { ErrorReply, RedisClientType } from '@redis/client';
import { createHash } from 'node:crypto';

/**
 * Redis does not answer, or answers that it cannot be used. The caller continues without it, by the rule of its call.
 */
export class RedisAway extends Error {
  override name = 'RedisAway';
}

export interface RedisOptions {
  url: string;
  /** Prefix of every key: installations may share a Redis. */
  prefix: string;
  log?: { info(fields: object, message: string): void; warn(fields: object, message: string): void } | undefined;
  /** Longest wait of a call. */
  timeoutMs?: number;
}

/** A script runs atomically in Redis. */
export interface RedisScript {
  text: string;
  sha: string;
}
export const redisScript = (text: string): RedisScript => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/** Errors that mean that this Redis accepts no writes now: it is full, or its disk fails. */
const refusing = /^(OOM|MISCONF|NOREPLICAS)\b/;
/** Errors that mean that this connection is unusable; another one may reach a usable server. */
const useless = /^(LOADING|BUSY|MASTERDOWN|READONLY|CLUSTERDOWN|NOAUTH|NOPERM|WRONGPASS)\b/;

type Client = RedisClientType<Record<string, never>, Record<string, never>, Record<string, never>, 3>;
/** Sends one command over a connection that is not in use yet. */
export type Send = (args: readonly string[]) => Promise<unknown>;

interface Call {
  at: number;
  reject(error: Error): void;
}

/**
 * A process's connection to Redis. A call never waits for Redis to come back: without a connection it is refused at
 * once. When a call takes longer than `timeoutMs`, it fails and the connection is dropped, so that a hung Redis delays
 * the first calls by a quarter of a second and later ones not at all. The effect of an unanswered call is unknown:
 * Redis may execute it later.
 */
export class Redis {
  readonly prefix: string;
  private client: Client | null = null;
  private pending = new Set<Call>();
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private wake: (() => void) | null = null;
  private first = true;
  private readonly listeners = new Map<string, (message: string) => void>();
  private readonly preparations: ((send: Send) => Promise<void>)[] = [];
  private readonly returns: (() => void)[] = [];
  private readonly timeoutMs: number;
  private errorReply: typeof ErrorReply | undefined;

  private readonly options: RedisOptions;

  private constructor(options: RedisOptions) {
    this.options = options;
    this.prefix = `${options.prefix}:`;
    this.timeoutMs = options.timeoutMs ?? 250;
  }

  /** Opens a connection. Resolves when connected, or after two seconds without: a service also starts without Redis. */
  static async open(options: RedisOptions): Promise<Redis> {
    const redis = new Redis(options);
    const running = redis.run();
    let late: NodeJS.Timeout | undefined;
    await Promise.race([
      running,
      new Promise<void>((resolve) => {
        late = setTimeout(resolve, 2_000);
      }),
    ]);
    clearTimeout(late);
    return redis;
  }

  get ready(): boolean {
    return this.client !== null;
  }

  /** Registers work for each new connection before its first use; if the work fails, the connection is dropped. */
  async prepare(work: (send: Send) => Promise<void>): Promise<void> {
    this.preparations.push(work);
    if (this.ready) await work((args) => this.send(args)).catch((error: Error) => this.lose(error.message));
  }

  /** Registers a listener for each connection that becomes ready, starting with the next one. */
  onReady(listener: () => void): void {
    this.returns.push(listener);
  }

  send<T = unknown>(args: readonly string[]): Promise<T> {
    const client = this.client;
    return client === null ? Promise.reject(new RedisAway('no connection')) : this.track(client.sendCommand<T>(args));
  }

  async script<T = unknown>(
    script: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<T> {
    const rest = [String(keys.length), ...keys, ...args.map(String)];
    try {
      return await this.send<T>(['EVALSHA', script.sha, ...rest]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return this.send<T>(['EVAL', script.text, ...rest]);
    }
  }

  /** Subscribes to a channel over this and all later connections; messages between two connections are lost. */
  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    this.listeners.set(channel, listener);
    if (this.client) await this.track(this.client.subscribe(channel, listener)).catch(() => {});
  }

  async unsubscribe(channel: string): Promise<void> {
    this.listeners.delete(channel);
    if (this.client) await this.track(this.client.unsubscribe(channel)).catch(() => {});
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake?.();
    this.drop('closed');
  }

  private track<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const call: Call = { at: performance.now(), reject };
      this.pending.add(call);
      if (this.timer === null) this.watch(this.timeoutMs);
      answer.then(
        (value) => {
          this.pending.delete(call);
          resolve(value);
        },
        (error: Error) => {
          this.pending.delete(call);
          reject(this.asAway(error));
        },
      );
    });
  }

  private watch(ms: number): void {
    this.timer = setTimeout(() => {
      // If this process itself was blocked, the answers are already in its socket: read them before judging a timeout.
      setImmediate(() => setImmediate(() => this.judge()));
    }, ms);
    this.timer.unref();
  }

  private judge(): void {
    this.timer = null;
    const [oldest] = this.pending;
    if (oldest === undefined) return;
    const left = oldest.at + this.timeoutMs - performance.now();
    if (left > 0) this.watch(left);
    else this.lose(`no answer within ${this.timeoutMs} ms`);
  }

  /** Drops the connection: all waiting calls fail, and a new connection is made. */
  private lose(why: string): void {
    if (this.client === null) return;
    this.options.log?.warn({ why }, 'Redis is away: each process goes on by itself');
    this.drop(why);
    void this.run();
  }

  private drop(why: string): void {
    const client = this.client;
    this.client = null;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const waiting = [...this.pending];
    this.pending.clear();
    for (const call of waiting) call.reject(new RedisAway(why));
    if (client === null) return;
    client.destroy();
  }

  /** Connects with retries; resolves when it has a connection or was closed. */
  private async run(): Promise<void> {
    for (let wait = 50; !this.closed; wait = Math.min(1_000, wait * 2)) {
      try {
        await this.connect();
        if (!this.first) this.options.log?.info({}, 'Redis is back');
        this.first = false;
        return;
      } catch (error) {
        if (this.first)
          this.options.log?.warn({ why: (error as Error).message }, 'Redis is away: each process goes on by itself');
        this.first = false;
        await new Promise<void>((resolve) => {
          this.wake = resolve;
          setTimeout(resolve, wait * (0.5 + Math.random() / 2)).unref();
        });
      }
    }
  }

  private async connect(): Promise<void> {
    // Loaded on demand: standalone does not use it.
    const { createClient, ErrorReply } = await import('@redis/client');
    this.errorReply = ErrorReply;
    const client = createClient({
      url: this.options.url,
      RESP: 3,
      maintNotifications: 'disabled',
      disableClientInfo: true,
      disableOfflineQueue: true,
      // Reconnecting is done here: the client's own would wait for a hung Redis forever.
      socket: { reconnectStrategy: false, connectTimeout: 1_000 },
      // The client's timeouts cost a timer and a signal per command; ours is one timer for all.
      commandOptions: { timeout: undefined as unknown as number },
    }) as unknown as Client;
    let fail!: (error: Error) => void;
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    failed.catch(() => {});
    const late = setTimeout(() => fail(new RedisAway('no answer while connecting')), 1_000);
    client.on('error', (error: Error) => {
      fail(error);
      if (this.client === client) this.lose(error.message);
    });
    try {
      await Promise.race([
        failed,
        (async () => {
          await client.connect();
          await client.sendCommand(['PING']);
          for (const [channel, listener] of this.listeners) await client.subscribe(channel, listener);
          for (const work of this.preparations) await work((args) => client.sendCommand(args));
          if (this.closed) throw new RedisAway('closed');
        })(),
      ]);
      this.client = client;
      for (const listener of this.returns) listener();
    } catch (error) {
      client.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  private asAway(error: Error): Error {
    if (error instanceof RedisAway) return error;
    const answered = this.errorReply !== undefined && error instanceof this.errorReply;
    if (answered && !refusing.test(error.message) && !useless.test(error.message)) return error;
    if (answered && useless.test(error.message)) this.lose(error.message);
    return new RedisAway(error.message);
  }
}
