import type { Bus, BusRecord, Disk, FanoutConsumer, FanoutOptions, OutRecord } from '@carillon/messaging';

/**
 * A bus whose storing the test controls: at once, on request, or failing. It records what was published and delivers it
 * to fan-outs in order. For tests of timing only; durability is tested with the real bus.
 */
export class RecordingBus implements Bus {
  readonly stored: BusRecord[] = [];
  /** Publishes that wait for `storeNow`, when `hold` is set. */
  private readonly waiting: { records: readonly OutRecord[]; resolve: () => void }[] = [];
  private readonly fanouts = new Set<FanoutOptions>();
  private readonly watchers = new Set<() => void>();
  hold = false;
  failing = false;
  attempts = 0;
  /** Added to the store's clock, in milliseconds. */
  clockAhead = 0;
  /** Free bytes of a disk of 1,000 bytes. */
  freeBytes = 1_000;
  confirmed: () => number = () => Date.now();

  async ensureTopics(): Promise<void> {}

  publish(records: readonly OutRecord[]): Promise<void> {
    this.attempts++;
    const stored = this.failing
      ? Promise.reject(new Error('the bus is away'))
      : this.hold
        ? new Promise<void>((resolve) => this.waiting.push({ records, resolve }))
        : Promise.resolve(this.store(records));
    this.wake();
    return stored;
  }

  /** The number of publishes that are held. */
  get held(): number {
    return this.waiting.length;
  }

  /** Stores everything that was held; later publishes are stored at once when `hold` is off. */
  storeNow(): void {
    for (const { records, resolve } of this.waiting.splice(0)) {
      this.store(records);
      resolve();
    }
  }

  /** Resolves when `when` holds, which is checked after each publish. */
  until(when: () => boolean): Promise<void> {
    if (when()) return Promise.resolve();
    return new Promise((resolve) => {
      const look = (): void => {
        if (!when()) return;
        this.watchers.delete(look);
        resolve();
      };
      this.watchers.add(look);
    });
  }

  /** Returns the stored records of a topic with parsed data. */
  sent(topic: string): { type: string; key: string; headers: Record<string, string>; data: Record<string, unknown> }[] {
    return this.stored
      .filter((r) => r.topic === topic)
      .map((r) => ({
        type: r.headers.type!,
        key: r.key,
        headers: r.headers,
        data: JSON.parse(r.value ?? 'null') as Record<string, unknown>,
      }));
  }

  async group(): Promise<never> {
    throw new Error('the gateway has no consumer group');
  }

  async fanout(options: FanoutOptions): Promise<FanoutConsumer> {
    if (options.from === 'start') for (const record of this.stored) this.give(options, record);
    this.fanouts.add(options);
    return {
      caughtUp: Promise.resolve(),
      confirmedAt: () => this.confirmed(),
      close: async () => void this.fanouts.delete(options),
    };
  }

  async lag() {
    return [];
  }

  async disks(): Promise<Disk[]> {
    return [{ name: 'of the test', totalBytes: 1_000, freeBytes: this.freeBytes }];
  }

  async healthy(): Promise<boolean> {
    return !this.failing;
  }

  async close(): Promise<void> {}

  private store(records: readonly OutRecord[]): void {
    for (const record of records) {
      const kept: BusRecord = {
        ...record,
        partition: 0,
        offset: BigInt(this.stored.length),
        timestamp: Date.now() + this.clockAhead,
      };
      this.stored.push(kept);
      for (const fanout of this.fanouts) this.give(fanout, kept);
    }
    this.wake();
  }

  private give(to: FanoutOptions, record: BusRecord): void {
    if (to.topics.includes(record.topic))
      void to.handle({ topic: record.topic, partition: 0, records: [record], signal: new AbortController().signal });
  }

  private wake(): void {
    for (const look of this.watchers) look();
  }
}
