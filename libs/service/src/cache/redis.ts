import type { ErrorReply, RedisClientType } from '@redis/client';
import { createHash } from 'node:crypto';

/**
 * Redis does not answer, or not with what was asked for. Whoever calls goes on without it, by the rule of that call.
 */
export class RedisAway extends Error {
  override name = 'RedisAway';
}

export interface RedisOptions {
  url: string;
  /** Before every key: installations may share a Redis. */
  prefix: string;
  log?: { info(fields: object, message: string): void; warn(fields: object, message: string): void } | undefined;
  /** The longest that a call waits. */
  timeoutMs?: number;
}

/** A script runs as one step in Redis. */
export interface RedisScript {
  text: string;
  sha: string;
}
export const redisScript = (text: string): RedisScript => ({
  text,
  sha: createHash('sha1').update(text).digest('hex'),
});

/** Answers that say that this Redis takes no writes now: full, or its own disk fails. */
const refusing = /^(OOM|MISCONF|NOREPLICAS)\b/;
/** Answers that say that it is of no use at all: another connection may reach one that is. */
const useless = /^(LOADING|BUSY|MASTERDOWN|READONLY|CLUSTERDOWN|NOAUTH|NOPERM|WRONGPASS)\b/;

type Client = RedisClientType<Record<string, never>, Record<string, never>, Record<string, never>, 3>;
/** Sends one command over a connection that others do not use yet. */
export type Send = (args: readonly string[]) => Promise<unknown>;

interface Call {
  at: number;
  reject(error: Error): void;
}

/**
 * The connection to Redis that a process has. A call never waits for Redis to come back: without a connection it is
 * refused at once, and one that waits longer than `timeoutMs` is taken for unanswered together with its connection, so
 * that a stopped Redis costs the first calls a quarter of a second and the others nothing. What an unanswered call did
 * is unknown: Redis may carry it out later.
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

  /** Resolves when connected, or after two seconds without: a service starts whether Redis is there or not. */
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

  /** Done at each new connection before anybody else may use it; when it fails, so does the connection. */
  async prepare(work: (send: Send) => Promise<void>): Promise<void> {
    this.preparations.push(work);
    if (this.ready) await work((args) => this.send(args)).catch((error: Error) => this.lose(error.message));
  }

  /** Called with each connection that is ready to use, the next one first. */
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

  /** Hears what is published on the channel, over every connection to come; what was said between two is missed. */
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
      // A process that was held up itself finds the answers in its socket: they are read before anyone is judged.
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

  /** The connection is of no use any more: everyone who waits is told, and another is made. */
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

  /** Connects, again and again; resolves when it holds a connection or was closed. */
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
    // Only where it is used: standalone does not load it.
    const { createClient, ErrorReply } = await import('@redis/client');
    this.errorReply = ErrorReply;
    const client = createClient({
      url: this.options.url,
      RESP: 3,
      maintNotifications: 'disabled',
      disableClientInfo: true,
      disableOfflineQueue: true,
      // Reconnecting is done here: its own would wait for a stopped Redis without end.
      socket: { reconnectStrategy: false, connectTimeout: 1_000 },
      // Its time-outs are a timer and a signal for each command; ours is one timer for all.
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
