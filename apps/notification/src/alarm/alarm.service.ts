import { Inject, Injectable } from '@nestjs/common';
import { alarmKinds, type acknowledgeAlarms, type RouteInput } from '@carillon/contracts';
import { companySession, Database, platform, transaction } from '@carillon/persistence';
import { auditNote, CONFIG, WorkLoop } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { noticesDue } from '../email-notice/email-notice.queries.ts';
import { eventKinds, raisedKinds } from './alarm.kinds.ts';
import {
  acknowledge,
  alarmLock,
  endEpisodes,
  factsOf,
  raise,
  recount,
  type Cause,
  type Fact,
  type NewEpisode,
} from './alarm.queries.ts';
import { companiesWithSignals, storeRaised, takeSignals, waitForDevices, type Raised } from './signal.queries.ts';

const atOnce = 4;
const batch = 5_000;
/** How long the news of a device that nobody knows yet waits for it. */
const unknownMs = 600_000;
/** How long a device may take for what a task has it do. */
const orderedMs = 300_000;

/** Makes alarms of what is due, a company at a time and all of its news in one transaction. */
@Injectable()
export class AlarmService extends WorkLoop<string> {
  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
  ) {
    super(database, { reason: 'alarms that are due, of all companies', tickMs: config.alarmTickMs, atOnce });
  }

  /** What this service had heard before it stopped may long be over: the bus has yet to tell. */
  override onApplicationBootstrap(): void {
    void platform(this.database, 'devices may have come back while nobody looked', () =>
      waitForDevices(this.config.alarmOfflineGraceMs),
    ).then(
      () => super.onApplicationBootstrap(),
      () => super.onApplicationBootstrap(),
    );
  }

  protected override claim(): Promise<string[]> {
    return companiesWithSignals(atOnce);
  }

  protected override async perform(companyId: string): Promise<void> {
    const full = await runAs(systemContext(companyId), () =>
      transaction(this.database, companySession(companyId), async () => {
        await alarmLock(companyId);
        const signals = await takeSignals(batch);
        const ended = await endEpisodes(signals.filter((s) => !s.raised));
        const { episodes, later } = this.judge(await factsOf(signals.filter((s) => s.raised)));
        await storeRaised(companyId, later, 'event');
        const { touched, told } = await raise(companyId, episodes, this.config.alarmContinueMs);
        await recount(companyId, [...ended, ...touched]);
        await noticesDue(told, { gatherMs: this.config.emailNoticeGatherMs, pauseMs: this.config.emailNoticePauseMs });
        return signals.length === batch;
      }),
    );
    if (full) this.wake();
  }

  /** Which news are alarms, and which have to wait. */
  private judge(facts: readonly Fact[]): { episodes: NewEpisode[]; later: Raised[] } {
    const episodes: NewEpisode[] = [];
    const later: Raised[] = [];
    for (const f of facts) {
      const at = Date.parse(f.at);
      const wait = (dueIn: number) => {
        later.push({ ...f, at, dueIn });
      };
      if (f.deviceEpoch === null || f.deviceEpoch < f.ownerEpoch) {
        if (at > Date.now() - unknownMs) wait(2_000);
        continue;
      }
      if (f.deviceEpoch > f.ownerEpoch || f.orgId === null || f.lineFails) continue;
      const orderedAt = f.orderedAt === null ? 0 : Date.parse(f.orderedAt);
      if (f.kind === alarmKinds.offline) {
        if (f.online || !f.enabled) continue;
        const left = orderedAt + orderedMs - Date.now();
        if (left > 0) {
          wait(left);
          continue;
        }
      }
      const ordered = f.orderedKinds?.includes(f.kind) && at >= orderedAt - 5_000 && at <= Date.parse(f.orderedUntil!);
      if (eventKinds.includes(f.kind) && ordered) continue;
      episodes.push({ ...f, ...causeOf(f), level: raisedKinds[f.kind]!.level, silenced: false });
    }
    return { episodes, later };
  }

  /** As far as the user sees them. */
  async acknowledge(body: RouteInput<typeof acknowledgeAlarms>['body']): Promise<{ acknowledged: number }> {
    const { companyId } = context();
    await alarmLock(companyId);
    const lines = await acknowledge('ids' in body ? body : 'all');
    await recount(companyId, lines);
    auditNote({ detail: { count: lines.length, ...('ids' in body ? { ids: lines.slice(0, 100) } : {}) } });
    return { acknowledged: lines.length };
  }
}

/** What many would have in common: the server that refuses, the gateway that is gone, the site that is cut off. */
function causeOf({ kind, source, siteId, siteName }: Fact): Cause {
  if (source !== null)
    return { cause: kind === alarmKinds.offline ? 'gateway' : 'server', causeId: source, causeName: source };
  if (siteId !== null) return { cause: 'site', causeId: siteId, causeName: siteName };
  return { cause: 'none', causeId: null, causeName: null };
}
