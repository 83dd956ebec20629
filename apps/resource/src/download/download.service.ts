import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createLogger, span, SpanKind } from '@carillon/observability';
import { Database, inCompany, platform } from '@carillon/persistence';
import {
  CONFIG,
  CONTEXT_KEY,
  downloadKey,
  fail,
  readDownloadToken,
  REDIS,
  type OpenedGrant,
  type Redis,
} from '@carillon/service';
import type { ResourceConfig } from '../config.ts';
import { FirmwareCheck } from '../firmware/firmware.check.ts';
import { FILES, type FileDriver } from '../store/file-driver.ts';
import { Integrity, mostWaiting } from '../store/integrity.ts';
import { LaneFull } from '../store/lane.ts';
import { fileAnswer, type FileAnswer } from '../store/send-file.ts';
import { Blocks } from './blocks.ts';
import { limitOf, notAsBefore, noteBegun, noteSent, standing, storedFile, publishLoads } from './download.queries.ts';
import { OwnBytes } from './own-bytes.ts';
import { Rate, type Share, type SiteLimit } from './rate.ts';
import { Sending } from './sending.ts';
import { SharedBytes } from './shared-bytes.ts';
import { Together } from './together.ts';

const log = createLogger('download');
/** Memory of the block cache that all downloads share. */
const cacheBytes = 67_108_864;
/** For this long a file is not looked at again, so that many downloads at once cost one look. */
const lookMs = 2_000;
/** Recently requested files, whose stored facts never change. */
const knownFiles = 1_000;

interface Stored {
  id: string;
  size: number;
  sha256: string;
}

/** A running download with its site limit, besides the installation's. */
interface Running {
  grant: OpenedGrant;
  share: Share;
  limit: SiteLimit | undefined;
  /** Resolves when it has ended, and what was sent is stored. */
  stored: Promise<void>;
}

/** Files that devices load by signed links (STORE-04). */
@Injectable()
export class Downloads implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly blocks: Blocks;
  private readonly key: Buffer;
  private readonly rate: Rate;
  private readonly known = new Map<string, Stored>();
  private readonly standing = new Together((companyId: string, grants: readonly OpenedGrant[]) =>
    inCompany(this.database, companyId, () => standing(grants)),
  );
  private readonly begun = new Together(async (companyId: string, grants: readonly OpenedGrant[]) => {
    await inCompany(this.database, companyId, async () => {
      await noteBegun(companyId, grants);
      await publishLoads('begun', companyId, grants);
    });
    return grants;
  });
  private readonly running = new Map<Sending, Running>();
  /** Downloads, including those still being checked. */
  private taken = 0;
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: ResourceConfig,
    @Inject(CONTEXT_KEY) contextKey: Buffer,
    @Inject(FILES) files: FileDriver,
    @Inject(REDIS) redis: Redis | null,
    private readonly integrity: Integrity,
    private readonly check: FirmwareCheck,
  ) {
    this.key = downloadKey(contextKey);
    this.blocks = new Blocks(files, cacheBytes);
    this.rate = new Rate(redis ? new SharedBytes(redis) : new OwnBytes(), config.downloadMbit);
  }

  get atOnce(): number {
    return this.taken;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.looking ??= this.look()
        .catch((err: unknown) => log.warn({ err }, 'whether downloads may go on could not be asked'))
        .finally(() => {
          this.looking = undefined;
        });
    }, this.config.downloadCheckMs).unref();
  }

  /** Ends all downloads: devices resume with another process. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.looking;
    const stored = [...this.running.values()].map((running) => running.stored);
    for (const sending of this.running.keys()) sending.stop();
    await Promise.all(stored);
    await this.rate.close();
  }

  /**
   * Answers a download, or throws its error. Returns false at the limit of downloads, and when too many files wait for
   * the comparison with their checksums: the device may try again.
   */
  async answer(token: string, name: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const grant = readDownloadToken(this.key, token, name);
    if (!grant) fail('file.linkUnknown');
    if (this.taken >= this.config.downloads) return false;
    this.taken++;
    try {
      await this.serve(grant, name, request, reply);
      return true;
    } catch (error) {
      if (error instanceof LaneFull) return false;
      throw error;
    } finally {
      this.taken--;
    }
  }

  private async serve(grant: OpenedGrant, name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const reads = request.method === 'GET';
    const { file, answer, limit } = await this.admit(
      grant,
      (stored) => fileAnswer({ ...stored, name }, request.headers),
      reads,
    );
    const { raw } = reply;
    // The client disconnected during the check.
    if (raw.destroyed) return;
    if (!answer.range || !reads) {
      void reply.hijack();
      raw.writeHead(answer.status, answer.headers).end();
      return;
    }
    const isWhole = await this.integrity.isWhole(file, { lookMs, most: mostWaiting }).catch((err: unknown) => {
      if (err instanceof LaneFull) throw err;
      log.warn({ err, file: file.id }, 'a file that a link names could not be read');
      fail('file.linkOver');
    });
    if (!isWhole) {
      await this.check.recheck(grant.companyId, grant.taskId);
      fail('file.damaged');
    }
    // The client disconnected while its file was compared.
    if (raw.destroyed) return;
    await this.blocks.hold(file.id).catch((err: unknown) => {
      log.warn({ err, file: file.id }, 'a file that a link names is not there');
      fail('file.linkOver');
    });
    try {
      void reply.hijack();
      raw.writeHead(answer.status, answer.headers);
      const { from, to } = answer.range;
      const idleMs = this.config.downloadIdleSeconds * 1_000;
      const share = this.rate.join(limit);
      const sending = new Sending(raw, file, from, to, this.blocks, share, idleMs);
      const stored = sending.ended.then(() => {
        this.running.delete(sending);
        return this.sent(grant, from, sending.sentTo, file.size);
      });
      this.running.set(sending, { grant, share, limit, stored });
      sending.begin();
      await stored;
    } finally {
      this.blocks.letGo(file.id);
    }
  }

  /** Stores which bytes a phone was sent, `to` exclusive. A failure is not the phone's: it has them. */
  private async sent(grant: OpenedGrant, from: number, to: number, size: number): Promise<void> {
    if (!grant.isPhone || to <= from) return;
    await inCompany(this.database, grant.companyId, () => noteSent(grant, from, to, size)).catch((err: unknown) =>
      log.warn({ err }, 'what a phone has loaded of its file could not be stored'),
    );
  }

  /** Checks the permission, and records the start of a new download. */
  private admit(
    grant: OpenedGrant,
    answerOf: (file: Stored) => FileAnswer,
    reads: boolean,
  ): Promise<{ file: Stored; answer: FileAnswer; limit: SiteLimit | undefined }> {
    const { companyId, fileId, beginBy, until } = grant;
    return span(
      'Downloads.admit',
      { kind: SpanKind.SERVER, attributes: { 'http.route': '/f/:token/:name' } },
      async () => {
        const { isOwned, isOver, begun, ...standing } = await this.standing.get(companyId, grant);
        const now = Date.now();
        if (!isOwned || isOver || now > until || (!begun && now > beginBy)) fail('file.linkOver');
        const file = await this.stored(fileId);
        const answer = answerOf(file);
        if (reads && answer.range && !begun) await this.begun.get(companyId, grant);
        return { file, answer, limit: limitOf(standing) };
      },
    );
  }

  private async stored(id: string): Promise<Stored> {
    const file =
      this.known.get(id) ??
      (await platform(this.database, 'a file that a signed link names', () => storedFile(id))) ??
      fail('file.linkOver');
    this.known.set(id, file);
    if (this.known.size > knownFiles) this.known.delete(this.known.keys().next().value!);
    return file;
  }

  /**
   * Ends running downloads whose task was stopped, whose device was handed over, or which expired, and applies changed
   * sites and limits.
   */
  private async look(): Promise<void> {
    const all = [...this.running];
    try {
      if (all.length > 0) await this.endOver(all);
    } finally {
      // Otherwise other processes would count this one as dead and use its share while the database is unavailable.
      await this.rate.show();
    }
  }

  private async endOver(all: [Sending, Running][]): Promise<void> {
    const now = Date.now();
    for (const [sending, { grant }] of all) if (now > grant.until) sending.stop();
    const others = await platform(this.database, 'end downloads that may not go on, and limit the others', () =>
      notAsBefore(all.map(([, running]) => running)),
    );
    for (const { place, isOver, limit } of others) {
      const [sending, running] = all[place]!;
      // A download that ended meanwhile holds no share of a limit.
      if (!this.running.has(sending)) continue;
      if (isOver) sending.stop();
      else {
        running.limit = limit;
        running.share.move(limit);
      }
    }
  }
}
