import { linkCommand } from '@carillon/contracts';
import type { EventData } from '@carillon/contracts';
import { linkLimits } from '@carillon/contracts/link';
import { SpanKind, pointSpan } from '@carillon/observability';
import type { Bus, BusBatch, BusRecord, FanoutConsumer } from '@carillon/messaging';
import type { ClaimStore } from '../claim/claim-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { Connections } from '../connection/connections.ts';
import { increment } from '../counters.ts';
import type { Drop } from '../counters.ts';
import { CommandQueue, type QueueHost } from '../connection/command-queue.ts';
import { uuidv7 } from '../uplink/envelope.ts';

const door = 'doorControl';
/**
 * `link.command.v1` as a task writes it: the fields in this order, and characters that need no escaping. The arguments
 * come last.
 */
const plain =
  /^\{"deviceId":"[0-9a-f-]{36}","mac":"[0-9a-f]{12}","ownerEpoch":\d{1,9},"id":"[0-9a-f-]{36}","action":"[A-Za-z]{1,64}","expiresAt":\d{1,15},"args":\{/;
/** Where its values begin, and how far each later one is behind the one before. */
const deviceAt = '{"deviceId":"'.length,
  macAt = deviceAt + 36 + '","mac":"'.length,
  ownerAt = macAt + 12 + '","ownerEpoch":'.length;
const actionBehind = '"id":"'.length + 36 + '","action":"'.length,
  expiresBehind = '","expiresAt":'.length,
  argsBehind = ',"args":'.length;
/** How long a sign that the own clock is behind the store's counts, in milliseconds. */
const skewMemoryMs = 60_000;

/** Passes commands from the bus to the connections of this process, and ignores those for devices that are not here. */
export class Commands implements QueueHost {
  private consumer: FanoutConsumer | null = null;
  /** The largest observed lead of the store's clock over ours in milliseconds, and when it was seen. */
  private behind = { by: 0, at: 0 };

  /**
   * Door commands that were given to a connection, until their end: a record that the bus delivers twice must not move
   * a door again.
   */
  private readonly toldDoors = new Map<string, number>();

  /**
   * The last arguments that were valid JSON, and how many more bytes than characters they have: one task has the same
   * ones for most of its devices.
   */
  private good = { args: '{}', extra: 0 };

  constructor(
    private readonly bus: Bus,
    readonly clock: { now(): number },
    private readonly connections: Connections,
    private readonly claims: ClaimStore,
  ) {}

  get config() {
    return this.connections.config;
  }

  async start(): Promise<void> {
    this.consumer = await this.bus.fanout({
      topics: [linkCommand.name],
      from: 'end',
      handle: (batch) => this.take(batch),
    });
    await this.consumer.caughtUp;
  }

  async stop(): Promise<void> {
    await this.consumer?.close();
    this.consumer = null;
  }

  /** Answers a hello with the welcome, before any command (device-link.md, "Down"). */
  welcome(c: Connection, trace: string | undefined): void {
    const now = this.clock.now();
    const open = JSON.stringify({
      id: uuidv7(now),
      action: 'welcome',
      args: {},
      expiresAt: now + linkLimits.answerWithinMs,
      trace,
    }).slice(0, -1);
    this.queueOf(c).greet(c, { open, bytes: Buffer.byteLength(open) });
  }

  /** Tells a device that was handed over to forget everything (device-link.md, "Handover"). */
  reset(c: Connection, id: string): void {
    const deadline = this.clock.now() + linkLimits.answerWithinMs;
    const open = JSON.stringify({ id, action: 'factoryReset', args: {}, expiresAt: deadline }).slice(0, -1);
    this.queueOf(c).add(c, { id, open, bytes: Buffer.byteLength(open), door: false, deadline });
  }

  countDrop(why: Drop): void {
    increment(this.connections.counters.dropped, why);
  }

  countWritten(): void {
    this.connections.counters.written++;
  }

  /**
   * Returns whether doors may be moved now: the own clock is not behind the store's and the claim is confirmed
   * (device-link.md, "Down").
   */
  mayMoveDoors(): boolean {
    return this.behind.by <= linkLimits.clockToleranceMs && this.claims.confirmed(this.connections.gateway);
  }

  private queueOf(c: Connection): CommandQueue {
    return (c.commands ??= new CommandQueue(this));
  }

  private take(batch: BusBatch): void {
    const before = this.connections.counters.written;
    let newest = -Infinity;
    for (const record of batch.records) if (record.timestamp > newest) newest = record.timestamp;
    this.compareClocks(newest);
    for (const record of batch.records) {
      if (record.value === null) continue;
      if (Number(record.headers.era ?? 0) < this.config.era) this.countDrop('era');
      else if (record.headers.type !== 'command' || !this.takePlain(record, record.value)) this.takeOne(record);
    }
    const count = this.connections.counters.written - before;
    // Sockets are written at the end of this turn: one log line for the batch follows.
    if (count > 0) setImmediate(() => this.connections.log.info({ point: 'sent', count }, 'commands written'));
  }

  /**
   * A fresh record can be later than our time only when our clock is behind. A clock that is ahead makes commands look
   * older, which is safe.
   */
  private compareClocks(stored: number): void {
    const now = this.clock.now();
    if (stored - now >= this.behind.by || now - this.behind.at > skewMemoryMs)
      this.behind = { by: Math.max(0, stored - now), at: now };
  }

  /**
   * Handles a command in the services' usual form (`plain`) by the positions of its fields: the device gets the rest of
   * the same text, so only the arguments are parsed and nothing is serialized again. Returns false when the contract
   * has to be used.
   */
  private takePlain(record: BusRecord, text: string): boolean {
    if (!plain.test(text)) return false;
    const idAt = text.indexOf(',', ownerAt) + 1;
    const actionAt = idAt + actionBehind,
      actionEnd = text.indexOf('"', actionAt);
    const expiresAt = actionEnd + expiresBehind,
      expiresEnd = text.indexOf(',', expiresAt);
    const args = text.slice(expiresEnd + argsBehind, -1);
    if (args !== this.good.args) {
      if (!isObject(args)) return false;
      this.good = { args, extra: Buffer.byteLength(args) - args.length };
    }
    const c = this.connections.find(text.slice(macAt, macAt + 12));
    if (c === undefined || c.identity === null || !text.startsWith(c.identity.deviceId, deviceAt) || isLeaving(c))
      return (this.countDrop('notConnected'), true);
    if (c.identity.ownerEpoch !== Number(text.slice(ownerAt, idAt - 1))) return (this.countDrop('owner'), true);
    const action = text.slice(actionAt, actionEnd);
    const id = text.slice(idAt + 6, idAt + 42);
    const deadline = this.deadline(action, Number(text.slice(expiresAt, expiresEnd)), record);
    if (action === door && !this.isFirst(id, deadline)) return true;
    const trace = pointSpan('command to device', record.headers.traceparent, SpanKind.PRODUCER, { action });
    const bare = `{${text.slice(idAt, -1)}`;
    const open = trace === undefined ? bare : `${bare},"trace":${JSON.stringify(trace)}`;
    this.queueOf(c).add(c, {
      id,
      open,
      // Everything but the arguments and the trace is ASCII (`plain`).
      bytes: trace === undefined ? open.length + this.good.extra : Buffer.byteLength(open),
      door: action === door,
      deadline,
    });
    return true;
  }

  private takeOne(record: BusRecord): void {
    let data: EventData<typeof linkCommand, 'command'> & EventData<typeof linkCommand, 'withdraw'>;
    try {
      data = JSON.parse(record.value!) as typeof data;
    } catch {
      return this.countDrop('unreadable');
    }
    if (typeof data !== 'object' || data === null || typeof data.mac !== 'string') return this.countDrop('unreadable');
    const c = this.connections.find(data.mac);
    if (c === undefined || c.identity === null || c.identity.deviceId !== data.deviceId || isLeaving(c))
      return record.headers.type === 'command' ? this.countDrop('notConnected') : undefined;
    switch (record.headers.type) {
      case 'command':
        if (c.identity.ownerEpoch !== data.ownerEpoch) return this.countDrop('owner');
        return this.addOne(c, data, record);
      case 'withdraw':
        return c.commands?.withdraw(data.ids);
      case 'close':
        return c.end('refused');
    }
  }

  /** Returns whether this door command is delivered for the first time. */
  private isFirst(id: string, deadline: number): boolean {
    const now = this.clock.now();
    // They are in order of arrival and live about equally long, so expired ones are first.
    for (const [told, until] of this.toldDoors) {
      if (until >= now) break;
      this.toldDoors.delete(told);
    }
    if (this.toldDoors.has(id)) return (this.countDrop('repeated'), false);
    this.toldDoors.set(id, deadline);
    return true;
  }

  private addOne(c: Connection, data: EventData<typeof linkCommand, 'command'>, record: BusRecord): void {
    const command = this.waiting(data, record);
    if (!command.door || this.isFirst(command.id, command.deadline)) this.queueOf(c).add(c, command);
  }

  /** Returns the end of a command. A door command must be executed soon or not at all (device-link.md, "Down"). */
  private deadline(action: string, expiresAt: number, record: BusRecord): number {
    return action === door ? Math.min(expiresAt, record.timestamp + linkLimits.doorCommandLifeMs) : expiresAt;
  }

  private waiting(data: EventData<typeof linkCommand, 'command'>, record: BusRecord) {
    const { id, action, args, expiresAt } = data;
    const trace = pointSpan('command to device', record.headers.traceparent, SpanKind.PRODUCER, { action });
    const open = JSON.stringify({ id, action, args, expiresAt, trace }).slice(0, -1);
    return {
      id,
      open,
      bytes: Buffer.byteLength(open),
      door: action === door,
      deadline: this.deadline(action, expiresAt, record),
    };
  }
}

/** Returns whether the device was handed over: no command of its former company reaches it. */
const isLeaving = (c: Connection): boolean => c.identity !== null && c.identity.resetId !== null;

function isObject(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object';
  } catch {
    return false;
  }
}
