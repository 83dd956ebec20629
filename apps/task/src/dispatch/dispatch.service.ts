import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { z } from 'zod';
import { createLogger, span } from '@carillon/observability';
import {
  companySession,
  currentSql,
  Database,
  platform,
  transaction,
  type Columns,
  type TransactionOptions,
} from '@carillon/persistence';
import { CONFIG, CONTEXT_KEY, downloadKey, emitLive } from '@carillon/service';
import type { taskConfig } from '../config.ts';
import { CompanyWork } from './company-work.ts';
import { due, held } from './due.ts';
import { expandChunk } from './expand.ts';
import { judgeRollouts } from '../rollout/judge.ts';
import { resendCommands } from './resend.ts';
import { sendCommands } from './send.ts';
import type { Scope } from './share.ts';
import { expireCommands } from './expire.ts';
import type { Links } from '../file/file.ts';
import { releasePaced } from './pace.ts';
import { firstId } from './sync.ts';

const log = createLogger('task');

/** How long to wait for answers to the older connection before commands are sent again. */
const resendAfterMs = 1_000;
/** How often a rate-limited task continues: a fifth of a second's worth at a time. */
const rateLookMs = 200;

/** Sends every command. Commits wake it; the tick only finds what a crash left behind. */
@Injectable()
export class DispatchService implements OnApplicationBootstrap, OnApplicationShutdown {
  /**
   * Serializes the work: parallel pieces would only wait for each other's rows. A piece is short, so that a large task
   * does not block a small one.
   */
  private readonly work = new CompanyWork();
  /** Companies whose next sending is queued. */
  private readonly draining = new Set<string>();
  /** What may be sent: tasks with the position of the pass (null: where it stands), and devices. */
  private readonly asked = new Map<string, { taskIds: Map<string, string | null>; deviceIds: Set<string> }>();
  private timer: NodeJS.Timeout | undefined;
  private resending: NodeJS.Timeout | undefined;
  /** Devices that connected since the last look, by company. */
  private readonly reconnected = new Map<string, Set<string>>();
  /** Timers for tasks that reached their rate. */
  private readonly waking = new Set<NodeJS.Timeout>();
  private closed = false;
  private readonly links: Links;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
    @Inject(CONTEXT_KEY) contextKey: Buffer,
  ) {
    this.links = { key: downloadKey(contextKey), publicUrl: config.publicUrl };
  }

  onApplicationBootstrap(): void {
    const tick = async (): Promise<void> => {
      if (this.closed) return;
      await this.recover().catch((err: unknown) => log.error({ err }, 'the recovery tick failed'));
      if (!this.closed) this.timer = setTimeout(() => void tick(), this.config.taskTickMs);
    };
    void tick();
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.resending);
    for (const waking of this.waking) clearTimeout(waking);
    await this.work.idle();
  }

  /** Gives a stored task's devices their rows, then sends. */
  startTask(companyId: string, taskId: string): void {
    void this.expand(companyId, taskId);
  }

  private expand(companyId: string, taskId: string): Promise<void> {
    return this.enqueue(companyId, async () => {
      await span('task expand', { attributes: { 'carillon.task': taskId } }, async () => {
        // Nothing is sent before the next transaction, whose flush to disk covers both.
        const isUnfinished = await this.inCompany(
          companyId,
          () => expandChunk(companyId, taskId, this.config.taskChunk),
          { repeatable: true },
        );
        if (isUnfinished) return this.startTask(companyId, taskId);
        log.info({ point: 'expanded', taskId }, 'task expanded');
        this.ask(companyId, { taskId });
        this.drain(companyId);
      });
    });
  }

  /** Sends the waiting commands of devices that came online, and a moment later those that were in flight. */
  resumeDevices(companyId: string, deviceIds: readonly string[]): void {
    this.sendTo(companyId, deviceIds);
    const ids = this.reconnected.get(companyId) ?? new Set<string>();
    this.reconnected.set(companyId, ids);
    for (const deviceId of deviceIds) ids.add(deviceId);
    this.resending ??= setTimeout(() => this.resend(), resendAfterMs);
  }

  /** Sends unanswered commands of an older connection again, within 2 s of the hello (device-link.md). */
  private resend(): void {
    this.resending = undefined;
    const reconnected = [...this.reconnected];
    this.reconnected.clear();
    for (const [companyId, deviceIds] of reconnected)
      void this.enqueue(companyId, () =>
        this.inCompany(companyId, () =>
          resendCommands(companyId, [...deviceIds], { patience: this.config.taskPatience, links: this.links }),
        ),
      );
  }

  /** Sends the waiting commands of devices that have room. */
  sendTo(companyId: string, deviceIds: readonly string[]): void {
    for (const deviceId of deviceIds) this.ask(companyId, { deviceId });
    this.drain(companyId);
  }

  /** Sends the waiting commands of a task. */
  sendTask(companyId: string, taskId: string): void {
    this.ask(companyId, { taskId });
    this.drain(companyId);
  }

  /** Continues tasks whose devices have ended: those with a limit of concurrent devices continue at their position. */
  goOn(companyId: string, taskIds: readonly string[]): void {
    for (const taskId of taskIds) this.ask(companyId, { taskId, behind: null });
    this.drain(companyId);
  }

  /** Sends what a freeze period held, after it ended or was changed. */
  sendHeld(companyId: string): void {
    void this.enqueue(companyId, async () => {
      const tasks = await this.inCompany(companyId, () => currentSql().rows(held.columns, held.sql));
      for (const { id } of tasks) this.ask(companyId, { taskId: id });
      this.drain(companyId);
    });
  }

  private ask(
    companyId: string,
    { taskId, behind = firstId, deviceId }: { taskId?: string; behind?: string | null; deviceId?: string },
  ): void {
    const asked = this.asked.get(companyId) ?? {
      taskIds: new Map<string, string | null>(),
      deviceIds: new Set<string>(),
    };
    this.asked.set(companyId, asked);
    const before = taskId === undefined ? undefined : (asked.taskIds.get(taskId) ?? undefined);
    if (taskId && (before === undefined || (behind !== null && behind < before))) asked.taskIds.set(taskId, behind);
    if (deviceId) asked.deviceIds.add(deviceId);
  }

  /** Continues a rate-limited task a moment later. */
  private askLater(
    ms: number,
    companyId: string,
    what: readonly { taskId?: string; behind?: string | null; deviceId?: string }[],
  ): void {
    const waking = setTimeout(() => {
      this.waking.delete(waking);
      for (const one of what) this.ask(companyId, one);
      this.drain(companyId);
    }, ms);
    this.waking.add(waking);
  }

  private inCompany<T>(companyId: string, work: () => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return transaction(this.database, companySession(companyId), work, { ...options, background: true });
  }

  private enqueue(companyId: string, work: () => Promise<void>): Promise<void> {
    return this.work.add(companyId, async () => {
      if (this.closed) return;
      await work().catch((err: unknown) => log.error({ err }, 'dispatch failed; the tick takes it up'));
    });
  }

  /** Sends what is asked for, piece by piece, so that other companies have their turn in between. */
  private drain(companyId: string): void {
    if (this.draining.has(companyId)) return;
    this.draining.add(companyId);
    void this.enqueue(companyId, async () => {
      this.draining.delete(companyId);
      try {
        await this.sendPiece(companyId);
      } finally {
        if (this.asked.has(companyId)) this.drain(companyId);
      }
    });
  }

  /** Sends a batch of one task, and one of devices. */
  private async sendPiece(companyId: string): Promise<void> {
    const { taskIds, deviceIds } = this.asked.get(companyId) ?? { taskIds: new Map(), deviceIds: new Set() };
    const [task] = taskIds;
    const devices = [...deviceIds].slice(0, this.config.taskSendBatch);
    if (task) taskIds.delete(task[0]);
    for (const deviceId of devices) deviceIds.delete(deviceId);
    if (taskIds.size + deviceIds.size === 0) this.asked.delete(companyId);
    if (task) await this.sendNext(companyId, ...task);
    if (devices.length > 0 && (await this.send(companyId, { deviceIds: devices })).isLimited)
      this.askLater(
        resendAfterMs,
        companyId,
        devices.map((deviceId) => ({ deviceId })),
      );
  }

  private async sendNext(companyId: string, taskId: string, behind: string | null): Promise<void> {
    const { last, isLimited } = await this.send(companyId, { taskId, behind });
    if (last === null) return;
    if (isLimited) this.askLater(rateLookMs, companyId, [{ taskId, behind: last }]);
    else this.ask(companyId, { taskId, behind: last });
  }

  private send(companyId: string, scope: Scope): ReturnType<typeof sendCommands> {
    return this.inCompany(companyId, () =>
      sendCommands(companyId, scope, {
        limit: this.config.taskSendBatch,
        patience: this.config.taskPatience,
        perSecond: this.config.taskPerSecond,
        links: this.links,
      }),
    );
  }

  /**
   * Finds what was left behind: tasks without all rows, waiting rows of online devices, old connections, passed
   * deadlines.
   */
  private async recover(): Promise<void> {
    const read = <Row>({ columns, sql }: { columns: Columns<Row>; sql: string }) => currentSql().rows(columns, sql);
    const { tasks, paced, bySite, waiting, old, expired, rollouts } = await platform(
      this.database,
      'recovery tick of all companies',
      async () => ({
        tasks: await read(due.tasks),
        paced: await read(due.paced),
        bySite: await read(due.bySite),
        waiting: await read(due.waiting),
        old: await read(due.old),
        expired: await read(due.expired),
        rollouts: await read(due.rollouts),
      }),
    );
    const pieces = tasks.map((task) => this.expand(task.companyId, task.id));
    for (const { companyId } of paced)
      pieces.push(
        this.enqueue(companyId, async () => {
          const released = await this.inCompany(companyId, () => releasePaced(companyId));
          this.sendTo(companyId, released);
        }),
      );
    for (const { companyId, id } of bySite) this.ask(companyId, { taskId: id });
    for (const [taskId, rows] of Map.groupBy(waiting, (r) => r.taskId)) {
      // A full batch was left by a process that died in the middle of a task: continue the pass over it.
      if (rows.length > this.config.taskSendBatch) this.ask(rows[0]!.companyId, { taskId });
      else for (const row of rows) this.ask(row.companyId, { deviceId: row.deviceId });
    }
    for (const companyId of new Set([...waiting, ...bySite].map((row) => row.companyId))) this.drain(companyId);
    // A newer connection gets the command again; an answer may be in flight, so it waits a second.
    for (const [companyId, rows] of Map.groupBy(old, (r) => r.companyId))
      pieces.push(
        this.enqueue(companyId, () =>
          this.inCompany(companyId, () =>
            resendCommands(
              companyId,
              rows.map((r) => r.deviceId),
              { patience: this.config.taskPatience, links: this.links },
            ),
          ),
        ),
      );
    for (const { companyId } of expired) pieces.push(this.enqueue(companyId, () => this.endExpired(companyId)));
    for (const { companyId } of rollouts)
      pieces.push(
        this.enqueue(companyId, async () => {
          const begun = await this.inCompany(companyId, () => judgeRollouts(companyId));
          for (const taskId of begun) this.startTask(companyId, taskId);
        }),
      );
    await Promise.all(pieces);
  }

  private async endExpired(companyId: string): Promise<void> {
    const ended = await this.inCompany(companyId, async () => {
      const expired = await expireCommands();
      await emitLive(companyId, 'task', expired.taskIds, expired.orgIds);
      return expired;
    });
    this.goOn(companyId, ended.taskIds);
    this.sendTo(companyId, ended.deviceIds);
  }
}
