import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { live, liveKinds, type EventData, type LiveKind } from '@carillon/contracts';
import type { Bus, BusBatch, FanoutConsumer } from '@carillon/messaging';
import type { AccessToken } from '@carillon/tenancy';
import { BUS, CONFIG, Failure } from '@carillon/service';
import { AccessCopy } from '../access/access.service.ts';
import { readRecord } from '../access/feed.ts';
import type { GatewayConfig } from '../config.ts';
import { LiveStream } from './stream.ts';

type Changed = EventData<typeof live, 'changed'>;

interface Watcher {
  token: AccessToken;
  /** The organization that the client has selected; undefined means all of the user's. */
  chosenOrgId: string | undefined;
  stream: LiveStream;
}

const heartbeatMs = 20_000;
/** A page loads data before it opens its stream, so a new stream repeats recent changes. */
const missedMs = 5_000;
const missedMost = 2_000;

/** Sends server-sent events to open browsers: changes in their company and organizations that the user may know. */
@Injectable()
export class LiveHub implements OnModuleInit, BeforeApplicationShutdown {
  private readonly companies = new Map<string, Set<Watcher>>();
  private readonly recent: { at: number; companyId: string; data: Changed }[] = [];
  private feed: FanoutConsumer | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly access: AccessCopy,
  ) {}

  async onModuleInit(): Promise<void> {
    this.access.onChange(() => {
      this.endRefused();
    });
    this.timer = setInterval(() => {
      this.endRefused();
      for (const w of this.watchers()) w.stream.heartbeat();
    }, heartbeatMs);
    this.timer.unref();
    this.feed = await this.bus.fanout({
      topics: [live.name],
      from: 'end',
      handle: (batch) => {
        this.take(batch);
      },
    });
  }

  open(token: AccessToken, chosenOrgId: string | undefined, response: ServerResponse): void {
    const stream = new LiveStream(response);
    const watcher: Watcher = { token, chosenOrgId, stream };
    const company = this.companies.get(token.companyId) ?? new Set();
    this.companies.set(token.companyId, company.add(watcher));
    response.on('close', () => {
      company.delete(watcher);
      if (company.size === 0) this.companies.delete(token.companyId);
    });
    stream.heartbeat();
    this.forget();
    for (const { companyId, data } of this.recent) if (companyId === token.companyId) this.send(watcher, data);
  }

  private forget(): void {
    const fresh = this.recent.findIndex((r) => r.at > Date.now() - missedMs);
    this.recent.splice(0, fresh === -1 ? this.recent.length : Math.max(fresh, this.recent.length - missedMost));
  }

  /** Throws 429 when the session has too many streams. */
  admit(token: AccessToken): void {
    const own = [...(this.companies.get(token.companyId) ?? [])].filter((w) => w.token.sessionId === token.sessionId);
    if (own.length >= this.config.streamsPerSession) throw new Failure('common.tooMany', { seconds: 60 });
  }

  /** Runs before the server closes, which waits for every answer to end. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.feed?.close();
    for (const watcher of this.watchers()) watcher.stream.leave(1_000);
  }

  private *watchers(): Generator<Watcher> {
    for (const company of this.companies.values()) yield* company;
  }

  private take({ records }: BusBatch): void {
    for (const record of records) {
      const message = readRecord(live, record);
      if (message === 'unreadable' || !message?.data) continue;
      // The company of the envelope decides, not the key.
      for (const watcher of this.companies.get(message.companyId ?? '') ?? []) this.send(watcher, message.data);
      if (message.companyId) this.recent.push({ at: Date.now(), companyId: message.companyId, data: message.data });
    }
    if (this.recent.length > missedMost) this.forget();
  }

  /** Sends a change to a watcher. Permissions are read for each message, so a change of them applies at once. */
  private send({ token, chosenOrgId, stream }: Watcher, { kind, ids, orgIds }: Changed): void {
    const refusal = this.access.refusal(token);
    if (refusal !== undefined && refusal !== 'common.unavailable') return;
    const user = this.access.user(token.userId);
    if (!user || !user.permissions.includes(liveKinds[kind as LiveKind])) return;
    const visible = chosenOrgId === undefined ? user.orgIds : user.orgIds.filter((id) => id === chosenOrgId);
    if (orgIds === null) return stream.add(kind, ids);
    const seen = orgIds.filter((id) => visible.includes(id));
    // For objects that partly belong to other organizations not even the ids may be revealed.
    if (seen.length > 0) stream.add(kind, seen.length === orgIds.length ? ids : 'many');
  }

  private endRefused(): void {
    for (const watcher of this.watchers()) {
      const refusal = this.access.refusal(watcher.token);
      if (refusal === 'common.tokenInvalid') watcher.stream.end();
      if (refusal === 'common.locked') watcher.stream.lock();
      // The session continues in its own company.
      if (refusal === 'supportAccess.ended') watcher.stream.leave(0);
    }
  }
}
