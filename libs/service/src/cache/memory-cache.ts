import { checkTtl, type Cache } from './cache.ts';

interface Entry {
  value: string;
  end: number;
  size: number;
}

export interface MemoryCacheOptions {
  /** Most values held; the oldest writes are evicted first. */
  entries?: number;
  /** Most characters of keys and values held. */
  characters?: number;
  /** Monotonic milliseconds: changing the clock must not expire or prolong a value. */
  now?: () => number;
}

/** Estimated cost of a Map entry in characters, besides its texts: a value of one character is not free. */
const overhead = 100;
/** Expired values that each write looks for, which frees memory without a timer that keeps the process alive. */
const swept = 4;

/** The cache of a single process. */
export class MemoryCache implements Cache {
  private readonly entries = new Map<string, Entry>();
  private readonly most: { entries: number; characters: number };
  private readonly now: () => number;
  private characters = 0;
  private sweep = this.entries.entries();

  constructor(options: MemoryCacheOptions = {}) {
    this.most = { entries: options.entries ?? 100_000, characters: options.characters ?? 32 * 1024 * 1024 };
    this.now = options.now ?? (() => performance.now());
  }

  /** Number of held values, including expired ones that are not dropped yet. */
  get size(): number {
    return this.entries.size;
  }

  async get(key: string): Promise<string | null> {
    return this.live(key)?.value ?? null;
  }

  async set(key: string, value: string, ttlMs: number): Promise<void> {
    this.put(key, value, ttlMs);
  }

  async add(key: string, value: string, ttlMs: number): Promise<boolean> {
    if (this.live(key) !== undefined) return false;
    this.put(key, value, ttlMs);
    return true;
  }

  async take(key: string): Promise<string | null> {
    const value = this.live(key)?.value ?? null;
    this.drop(key);
    return value;
  }

  async increment(key: string, ttlMs: number): Promise<number> {
    const entry = this.live(key);
    if (entry === undefined) {
      this.put(key, '1', ttlMs);
      return 1;
    }
    checkTtl(ttlMs);
    if (!/^-?\d{1,15}$/.test(entry.value)) throw new TypeError('the value in the cache is not a number');
    entry.value = String(Number(entry.value) + 1);
    return Number(entry.value);
  }

  async delete(key: string): Promise<void> {
    this.drop(key);
  }

  clear(): void {
    this.entries.clear();
    this.characters = 0;
  }

  async close(): Promise<void> {
    this.clear();
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined || entry.end > this.now()) return entry;
    this.drop(key);
    return undefined;
  }

  private put(key: string, value: string, ttlMs: number): void {
    checkTtl(ttlMs);
    const size = key.length + value.length + overhead;
    this.drop(key);
    this.sweepSome();
    if (size > this.most.characters) return;
    this.entries.set(key, { value, end: this.now() + ttlMs, size });
    this.characters += size;
    while (this.entries.size > this.most.entries || this.characters > this.most.characters)
      this.drop(this.entries.keys().next().value!);
  }

  private drop(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.characters -= entry.size;
  }

  private sweepSome(): void {
    for (let i = 0; i < swept; i++) {
      const next = this.sweep.next();
      if (next.done) {
        this.sweep = this.entries.entries();
        return;
      }
      if (next.value[1].end <= this.now()) this.drop(next.value[0]);
    }
  }
}
