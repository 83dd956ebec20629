import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createLogger } from '@carillon/observability';
import type { BusRecord, Consumer, GroupOptions } from '../bus.ts';
import { Reader } from './postgres.reader.ts';
import type { Slot } from './postgres.slot.ts';

const log = createLogger('bus');

interface Held {
  epoch: number;
  reader: Reader;
  /** Set during a release; resolves when the handler has returned and the row is free. */
  leaving?: Promise<void>;
}

interface Member {
  id: string;
  options: GroupOptions;
  slots: Map<number, Slot>;
  held: Map<number, Held>;
  closing: boolean;
}

interface Dirty {
  group: string;
  slot: number;
  epoch: number;
  pos: number;
}

export interface GroupsOptions {
  pool: pg.Pool;
  /** At most one living process has this name; a start takes over the partitions of its predecessor. */
  name: string | undefined;
  leaseMs: number;
  load(slot: Slot, from: number, max: number): Promise<BusRecord[]>;
}

const commitMs = 50;

/**
 * Group membership without sessions: each process renews one lease row, all compute the same distribution from the
 * living members, and a partition changes hands only when its owner has released it or the owner's process row is gone.
 * Positions are stored with the owner's epoch, so that a process that was considered dead cannot move one.
 */
export class Groups {
  private readonly options: GroupsOptions;
  private readonly members = new Map<string, Member>();
  private process = randomUUID();
  private registered = false;
  /** By this process's monotonic clock, taken before the renewal was sent: never later than the database's end. */
  private leaseEnd = 0;
  private ticking: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private readonly dirty = new Map<string, Dirty>();
  private committing: Promise<void> | undefined;
  private commitTimer: NodeJS.Timeout | undefined;
  private guard: NodeJS.Timeout | undefined;

  constructor(options: GroupsOptions) {
    this.options = options;
  }

  async join(options: GroupOptions, slots: Slot[]): Promise<Consumer> {
    const member: Member = {
      id: randomUUID(),
      options,
      slots: new Map(slots.map((s) => [s.id, s])),
      held: new Map(),
      closing: false,
    };
    await this.options.pool.query(
      'insert into position (group_name, slot) select $1, unnest($2::int[]) on conflict do nothing',
      [options.group, slots.map((s) => s.id)],
    );
    this.members.set(member.id, member);
    try {
      await this.enqueue(async () => {
        if (this.registered) await this.insertMembers([member]);
        await this.tick();
      });
    } catch (error) {
      this.members.delete(member.id);
      throw error;
    }
    this.timer ??= setInterval(() => this.tickSoon(), Math.max(50, this.options.leaseMs / 10));
    let closed: Promise<void> | undefined;
    return { close: () => (closed ??= this.leave(member)) };
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all([...this.members.values()].map((m) => this.leave(m)));
    clearTimeout(this.guard);
    await this.ticking;
    if (this.registered)
      await this.options.pool.query('delete from process where id = $1', [this.process]).catch(() => undefined);
  }

  /** Returns whether the lease holds, so that no other process can have claimed the partitions. */
  private holds(): boolean {
    return performance.now() < this.leaseEnd;
  }

  private tickSoon(): void {
    this.enqueue(() => this.tick()).catch((error: Error) =>
      log.warn({ error: error.message }, 'group membership not renewed'),
    );
  }

  /** Serializes changes of membership. */
  private enqueue(work: () => Promise<void>): Promise<void> {
    const done = this.ticking.then(work);
    this.ticking = done.catch(() => undefined);
    return done;
  }

  private async register(): Promise<void> {
    this.process = randomUUID();
    const { name, leaseMs } = this.options;
    const sent = performance.now();
    await this.options.pool.query(
      `with before as (delete from process where name = $2)
       insert into process (id, name, until) values ($1, $2, clock_timestamp() + $3 * interval '1 ms')`,
      [this.process, name ?? this.process, leaseMs],
    );
    await this.insertMembers([...this.members.values()].filter((m) => !m.closing));
    this.registered = true;
    this.renewed(sent);
  }

  private async insertMembers(members: Member[]): Promise<void> {
    for (const m of members) {
      const topics = [...new Set([...m.slots.values()].map((s) => s.topicId))];
      await this.options.pool.query(
        'insert into member (id, group_name, process, topics) values ($1, $2, $3, $4) on conflict do nothing',
        [m.id, m.options.group, this.process, topics],
      );
    }
  }

  private renewed(sent: number): void {
    this.leaseEnd = sent + this.options.leaseMs;
    clearTimeout(this.guard);
    this.guard = setTimeout(() => this.lapse(), this.leaseEnd - performance.now());
    for (const m of this.members.values()) for (const h of m.held.values()) h.reader.wake();
  }

  /** Stops running handlers, because the lease could not be renewed and others may take over. */
  private lapse(): void {
    for (const m of this.members.values()) for (const slot of m.held.keys()) this.release(m, slot);
  }

  private async tick(): Promise<void> {
    if (this.members.size === 0) return;
    if (!this.registered) await this.register();
    const groups = [...new Set([...this.members.values()].map((m) => m.options.group))];
    const list = groups.map((g) => pg.escapeLiteral(g)).join(',');
    const sent = performance.now();
    // One round trip; deleting the expired row of another process waits for that one's own renewal, which wins.
    const answers = (await this.options.pool.query(`
      update process
      set until = clock_timestamp() + ${this.options.leaseMs} * interval '1 ms'
      where id = '${this.process}';
      delete from process
      where until < clock_timestamp();
      select id, group_name, topics
      from member
      where group_name in (${list})
      order by id;
      select group_name, slot, owner, epoch::float8 as epoch
      from position
      where group_name in (${list})
    `)) as unknown as pg.QueryResult[];
    if (answers[0]!.rowCount === 0) return this.expelled();
    this.renewed(sent);
    const living = answers[2]!.rows as { id: string; group_name: string; topics: number[] }[];
    const positions = new Map(
      (answers[3]!.rows as { group_name: string; slot: number; owner: string | null; epoch: number }[]).map((p) => [
        `${p.slot} ${p.group_name}`,
        p,
      ]),
    );
    const claims: { member: Member; slot: Slot }[] = [];
    for (const member of this.members.values()) {
      for (const slot of member.slots.values()) {
        const sharers = living.filter((l) => l.group_name === member.options.group && l.topics.includes(slot.topicId));
        const wanted =
          sharers.length > 0 &&
          !member.closing &&
          sharers[(slot.topicId + slot.partition) % sharers.length]!.id === member.id;
        const held = member.held.get(slot.id);
        const at = positions.get(`${slot.id} ${member.options.group}`);
        if (held && (!wanted || at?.owner !== member.id || at.epoch !== held.epoch)) this.release(member, slot.id);
        else if (!held && wanted && (at?.owner === null || at?.owner === member.id)) claims.push({ member, slot });
      }
    }
    if (claims.length > 0) await this.claim(claims);
  }

  /** Joins again after another process deleted this one's expired lease. */
  private async expelled(): Promise<void> {
    log.warn('group membership was lost; joining again');
    this.registered = false;
    this.leaseEnd = 0;
    this.lapse();
    await Promise.all([...this.members.values()].flatMap((m) => [...m.held.values()].map((h) => h.leaving)));
    await this.tick();
  }

  private async claim(claims: { member: Member; slot: Slot }[]): Promise<void> {
    const { rows } = await this.options.pool.query<{
      owner: string;
      slot: number;
      pos: string;
      epoch: string;
      next: string;
    }>(
      `update position p set owner = w.member, epoch = p.epoch + 1
       from unnest($1::uuid[], $2::text[], $3::int[]) as w (member, group_name, slot) join slot s on s.id = w.slot
       where p.group_name = w.group_name and p.slot = w.slot and (p.owner is null or p.owner = w.member)
       returning p.owner, p.slot, p.pos, p.epoch, s.next`,
      [claims.map((c) => c.member.id), claims.map((c) => c.member.options.group), claims.map((c) => c.slot.id)],
    );
    for (const row of rows) {
      const member = this.members.get(row.owner)!;
      const slot = member.slots.get(row.slot)!;
      slot.advance(Number(row.next));
      this.start(member, slot, Number(row.epoch), Number(row.pos));
    }
  }

  private start(member: Member, slot: Slot, epoch: number, from: number): void {
    const { group, maxBatch = 500, handle } = member.options;
    const key = `${slot.id} ${group}`;
    const reader = new Reader({
      slot,
      from,
      maxBatch,
      handle,
      load: this.options.load,
      mayRead: () => this.holds(),
      done: (pos) => {
        this.dirty.set(key, { group, slot: slot.id, epoch, pos });
        this.commitTimer ??= setTimeout(() => {
          this.commitTimer = undefined;
          void this.commit();
        }, commitMs);
      },
      failed: (error, batch) => {
        const message = error instanceof Error ? error.message : String(error);
        log.warn(
          {
            group,
            topic: slot.topic,
            partition: slot.partition,
            offset: batch?.records[0]?.offset.toString(),
            error: message,
          },
          'batch failed, it comes again',
        );
        return 'again';
      },
    });
    member.held.set(slot.id, { epoch, reader });
  }

  private release(member: Member, slot: number): Promise<void> {
    const held = member.held.get(slot)!;
    held.leaving ??= (async () => {
      await held.reader.stop();
      await this.commit();
      await this.options.pool
        .query('update position set owner = null where group_name = $1 and slot = $2 and owner = $3 and epoch = $4', [
          member.options.group,
          slot,
          member.id,
          held.epoch,
        ])
        .catch(() => undefined); // the next renewal finds it owned but not held, and claims it again
      member.held.delete(slot);
      if (!member.closing) this.tickSoon();
    })();
    return held.leaving;
  }

  private async leave(member: Member): Promise<void> {
    member.closing = true;
    await this.ticking; // a running claim has started its readers
    await Promise.all([...member.held.keys()].map((slot) => this.release(member, slot)));
    // otherwise the lease expires
    await this.options.pool.query('delete from member where id = $1', [member.id]).catch(() => undefined);
    this.members.delete(member.id);
    if (this.members.size > 0) this.tickSoon();
  }

  /** Stores positions; resolves when all that were handled before the call are stored, or storing failed. */
  private async commit(): Promise<void> {
    await this.committing;
    if (this.dirty.size === 0) return;
    const batch = [...this.dirty.values()];
    this.dirty.clear();
    this.committing = this.options.pool
      .query(
        `
          update position p
          set pos = w.pos
          from unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) as w (group_name, slot, epoch, pos)
          where p.group_name = w.group_name and p.slot = w.slot and p.epoch = w.epoch and p.pos < w.pos
        `,
        [batch.map((d) => d.group), batch.map((d) => d.slot), batch.map((d) => d.epoch), batch.map((d) => d.pos)],
      )
      .then(
        () => undefined,
        (error: Error) => {
          log.warn({ error: error.message }, 'positions not stored yet');
          for (const d of batch) {
            const key = `${d.slot} ${d.group}`;
            if (!this.dirty.has(key)) this.dirty.set(key, d);
          }
          this.commitTimer ??= setTimeout(() => {
            this.commitTimer = undefined;
            void this.commit();
          }, 500);
        },
      );
    await this.committing;
    this.committing = undefined;
  }
}
