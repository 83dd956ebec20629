import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { Inject, Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, sessionOf, transaction, uuidv7, type RowOf } from '@carillon/persistence';
import { CONFIG, emitLive, fail, Failure, WorkLoop } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import type { ResourceConfig } from '../config.ts';
import { firmwareRow } from '../firmware/firmware-list.queries.ts';
import { FirmwareService } from '../firmware/firmware.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { FILES, type FileDriver, type OpenFile } from '../store/file-driver.ts';
import { storeBytes, type KeptFile } from '../upload/upload.queries.ts';
import { readable } from '../upload/upload.service.ts';
import { DeltaOrder } from './delta-order.entity.ts';
import type { DeltaAsked, DeltaWork } from './delta.worker.ts';

const log = createLogger('delta');
const tickMs = 5_000;
const leaseSeconds = 30;
const mostTries = 3;
const pauseSeconds = 5;
/** Most companies remembered as served. */
const mostServed = 1_000;
/** A package with a larger share of the image is discarded: it saves too little for its risk. */
const mostShare = 0.9;
/** Besides its few own buffers. */
const memoryMb = 128;
/** Longest time for an image: ten minutes plus two seconds per MB of both; a longer one is an attack. */
const mostMs = (bytes: number): number => 600_000 + bytes / 500;

const order = columns(DeltaOrder, 'o', ['id', 'companyId', 'path', 'firmwareId', 'fromId', 'version', 'tries']);
type Order = RowOf<typeof order>;

/** The order or one of its versions was deleted, or another process has it. */
class Ended extends Error {}

/**
 * Makes ordered differential packages, one at a time, in a separate thread. The order of a process that ended is
 * started again by the next. A package exists completely or not at all: its row is written at the end.
 */
@Injectable()
export class DeltaRunner extends WorkLoop<Order> {
  private readonly ending = new AbortController();
  /** Companies served by this process, latest last, so that one with many orders does not block others. */
  private served: string[] = [];

  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: ResourceConfig,
    @Inject(FILES) private readonly files: FileDriver,
    private readonly firmware: FirmwareService,
    private readonly storage: StorageService,
  ) {
    super(database, { reason: 'the next differential package to be made, of all companies', tickMs, atOnce: 1 });
  }

  override async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await super.onApplicationShutdown();
  }

  protected override async claim(): Promise<Order[]> {
    const claimed = await currentSql().rows(
      order,
      `
        update delta_order o
        set state = 'making', tries = o.tries + 1, progress = 0,
          lease_until = now() + interval '${leaseSeconds} seconds'
        where o.id = (
          select id
          from delta_order
          where state <> 'failed' and lease_until <= now()
          order by coalesce(array_position($1::uuid[], company_id), 0), created_at
          limit 1
          for update skip locked
        )
        returning ${order}
      `,
      [this.served],
    );
    const now = claimed.map(({ companyId }) => companyId);
    this.served = [...this.served.filter((id) => !now.includes(id)), ...now].slice(-mostServed);
    return claimed;
  }

  protected override async perform(order: Order): Promise<void> {
    await runAs(systemContext(order.companyId), async () => {
      try {
        if (order.tries > mostTries) fail('firmware.deltaFailed');
        await this.make(order);
      } catch (error) {
        if (error instanceof Ended) return;
        if (this.closed) await this.put(order, `state = 'waiting', tries = tries - 1, lease_until = now()`);
        else if (error instanceof Failure) await this.failed(order, error);
        else {
          log.warn({ err: error, orderId: order.id }, 'a differential package could not be made');
          if (order.tries >= mostTries) await this.failed(order, new Failure('firmware.deltaFailed'));
          // An unavailable store may be back by then.
          else
            await this.put(
              order,
              `state = 'waiting', lease_until = now() + tries * interval '${pauseSeconds} seconds'`,
            );
        }
      }
    });
  }

  private own<T>(work: () => Promise<T>): Promise<T> {
    return transaction(this.database, sessionOf(context()), work);
  }

  private failed(order: Order, { key, values }: Failure): Promise<boolean> {
    return this.put(order, `state = 'failed', error = $3, values = $4`, [key, JSON.stringify(values)]);
  }

  /**
   * Stores the state of an order and publishes it; returns false when the order is gone or belongs to another process.
   */
  private put(
    { id, tries, companyId, firmwareId }: Order,
    set: string,
    values: unknown[] = [],
    isShown = true,
  ): Promise<boolean> {
    return this.own(async () => {
      const { rowCount } = await currentSql().query(
        `update delta_order set ${set} where id = $1 and tries = $2 and state = 'making'`,
        [id, tries, ...values],
      );
      if (rowCount > 0 && isShown) await emitLive(companyId, 'firmware', [firmwareId], null);
      return rowCount > 0;
    });
  }

  private async make(order: Order): Promise<void> {
    const { from, to } = await this.own(async () => ({
      from: await this.firmware.file(order.fromId),
      to: await this.firmware.file(order.firmwareId),
    }));
    if ((await this.files.room()) - to.size < this.config.uploadReserve) fail('upload.noSpace');
    const key = uuidv7();
    await this.files.create(key);
    let isAsked = false;
    try {
      const made = await this.write(order, key, from, to);
      await this.files.complete(key);
      isAsked = true;
      if ((await this.keep(order, key, made)) !== key) await this.files.remove(key);
    } catch (error) {
      // After a lost commit response it may already be listed; otherwise the sweep of strays deletes the file.
      if (!isAsked || error instanceof Ended || error instanceof Failure) await this.files.remove(key);
      throw error;
    }
  }

  /** Makes the package and returns its name and the facts about the written file. */
  private async write(order: Order, key: string, from: KeptFile, to: KeptFile): Promise<Omit<KeptFile, 'id'>> {
    const making = new Making(from, to, this.files, this.ending.signal);
    const until = performance.now() + mostMs(from.size + to.size);
    let reported = -1;
    const lives = async (): Promise<void> => {
      if (performance.now() > until) making.end(new Failure('firmware.deltaFailed'));
      const { percent } = making;
      const set = `progress = $3, lease_until = now() + interval '${leaseSeconds} seconds'`;
      if (!(await this.put(order, set, [percent], percent !== reported))) making.end(new Ended());
      reported = percent;
    };
    const alive = setInterval(() => void lives().catch(() => undefined), this.config.deltaMs);
    const hash = createHash('sha256');
    let size = 0;
    const parts = async function* () {
      for await (const part of making.parts()) {
        size += part.length;
        if (size > to.size * mostShare) fail('firmware.deltaSaves');
        hash.update(part);
        yield part;
      }
    };
    try {
      await this.files.append(key, 0, Readable.from(parts(), { objectMode: false }));
    } finally {
      clearInterval(alive);
      await making.close();
    }
    const version = await this.own(async () => (await firmwareRow(order.firmwareId)).version);
    return { name: `${order.version}-to-${version}.delta`, size, sha256: hash.digest('hex') };
  }

  /** Lists and publishes the complete package with this commit. Returns the id of its bytes. */
  private keep(order: Order, key: string, made: Omit<KeptFile, 'id'>): Promise<string | undefined> {
    return this.own(async () => {
      // Locks the firmware before its orders, like every deletion.
      await this.firmware.locked(order.path, order.firmwareId);
      // It cannot be deleted from here on.
      const held = await currentSql().query(
        `select 1 from delta_order where id = $1 and tries = $2 and state = 'making' for update`,
        [order.id, order.tries],
      );
      if (held.rowCount === 0) throw new Ended();
      const full = await this.storage.take(made.size);
      if (full) {
        // The failure is stored by this transaction, so it must end normally.
        const values = { used: readable(full.used), quota: readable(full.quota) };
        await currentSql().query(`update delta_order set state = 'failed', error = $2, values = $3 where id = $1`, [
          order.id,
          'upload.quotaFull',
          JSON.stringify(values),
        ]);
        await emitLive(order.companyId, 'firmware', [order.firmwareId], null);
        return undefined;
      }
      const id = await storeBytes(key, made);
      await currentSql().query('delete from delta_order where id = $1', [order.id]);
      await this.firmware.keepMade(order.path, order.firmwareId, {
        id,
        ...made,
        from: order.version,
        format: 'zstd-windows',
      });
      return id;
    });
  }
}

/** Beside this file in the sources, beside the bundle in a build. */
const script = new URL(import.meta.url.endsWith('.ts') ? './delta.worker.ts' : './delta.worker.js', import.meta.url);

/** The thread that makes a package: it requests bytes of the images, one request at a time, and delivers parts. */
class Making {
  percent = 0;
  private readonly worker: Worker;
  private readonly asked: DeltaAsked[] = [];
  private fault: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly images: Record<'from' | 'to', KeptFile>;

  constructor(
    from: KeptFile,
    to: KeptFile,
    private readonly files: FileDriver,
    private readonly signal: AbortSignal,
  ) {
    this.images = { from, to };
    const workerData: DeltaWork = {
      from: { size: from.size, sha256: from.sha256 },
      to: { size: to.size, sha256: to.sha256 },
    };
    this.worker = new Worker(script, {
      workerData,
      // The worker gets nothing of this process: no environment, arguments or output.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    });
    this.worker
      .on('message', (asked: DeltaAsked) => {
        this.asked.push(asked);
        this.wake();
      })
      .on('error', (error) => this.end(error instanceof Error ? error : new Error(String(error))))
      .on('exit', () => this.end(new Error('the thread ended before it was over')));
    if (signal.aborted) this.giveUp();
    signal.addEventListener('abort', this.giveUp);
  }

  private readonly giveUp = (): void => this.end(new Error('the service ends'));

  /** Stops the work. */
  end(error: Error): void {
    this.fault ??= error;
    this.wake();
  }

  async close(): Promise<void> {
    this.signal.removeEventListener('abort', this.giveUp);
    await this.worker.terminate();
  }

  async *parts(): AsyncGenerator<Buffer> {
    const { from, to } = this.images;
    const old = await this.files.open(from.id);
    let image: OpenFile | undefined;
    try {
      image = await this.files.open(to.id);
      for (;;) {
        const asked = await this.next();
        if ('over' in asked) return;
        if ('read' in asked) {
          const bytes = Buffer.alloc(asked.length);
          await (asked.read === 'from' ? old : image).read([bytes], asked.at);
          this.worker.postMessage(bytes, [bytes.buffer]);
        } else {
          this.percent = asked.percent;
          yield Buffer.from(asked.write.buffer);
          this.worker.postMessage(null);
        }
      }
    } finally {
      await Promise.all([old.close(), image?.close()]);
    }
  }

  private async next(): Promise<DeltaAsked> {
    while (this.asked.length === 0 && !this.fault)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    if (this.fault && this.asked.length === 0) throw this.fault;
    return this.asked.shift()!;
  }
}
