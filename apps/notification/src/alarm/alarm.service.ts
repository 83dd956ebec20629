import { Inject, Injectable } from '@nestjs/common';
import {
  alarmKinds,
  type acknowledgeAlarms,
  type addAlarmSilence,
  type editAlarmRule,
  type listAlarmRules,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import {
  afterCommit,
  companySession,
  currentEntities,
  Database,
  platform,
  transaction,
  wholly,
} from '@carillon/persistence';
import { auditNote, CONFIG, emitLive, fail, found, WorkLoop } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { SiteCopy } from '../projections/site.projection.ts';
import { noticesDue } from '../email-notice/email-notice.queries.ts';
import { WebhookEvents } from '../webhook/webhook.events.ts';
import { eventKinds, raisedKinds } from './alarm.kinds.ts';
import {
  addSilence,
  endSilences,
  isSilent,
  rules,
  setRule,
  silenceCount,
  silences,
  type Rule,
  type Silence,
} from './alarm-rule.queries.ts';
import { AlarmSilence } from './alarm-rule.entity.ts';
import {
  acknowledge,
  holdAlarms,
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
const mostSilences = 200;
const batch = 5_000;
/** How long signals of a still unknown device wait for it. */
const unknownMs = 600_000;
/** How long a device may take for a task's command. */
const orderedMs = 300_000;

/** Raises and ends alarms from due signals, one company per transaction. */
@Injectable()
export class AlarmService extends WorkLoop<string> {
  constructor(
    database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
    private readonly webhooks: WebhookEvents,
  ) {
    super(database, { reason: 'alarms that are due, of all companies', tickMs: config.alarmTickMs, atOnce });
  }

  /** Signals from before the stop may be outdated: later events are still on the bus. */
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
        await holdAlarms(companyId);
        const signals = await takeSignals(batch);
        const ended = await endEpisodes(signals.filter((s) => !s.raised));
        const facts = await factsOf(signals.filter((s) => s.raised));
        const { episodes, later } = this.judge(facts, await rules(), await silences());
        await storeRaised(companyId, later, 'event');
        await this.webhooks.alarms(
          'alarm.ended',
          ended.map((e) => e.id),
        );
        const { touched, told, began } = await raise(companyId, episodes, this.config.alarmContinueMs);
        const loud = await endSilences();
        await recount(companyId, [...[...ended, ...loud].map((e) => e.groupId), ...touched]);
        await this.webhooks.alarms('alarm.raised', [...began, ...loud.map((l) => l.id)]);
        await noticesDue([...told, ...loud], {
          gatherMs: this.config.emailNoticeGatherMs,
          pauseMs: this.config.emailNoticePauseMs,
        });
        return signals.length === batch;
      }),
    );
    if (full) this.wake();
  }

  /** Decides which signals become alarms, and which must wait. */
  private judge(
    facts: readonly Fact[],
    said: ReadonlyMap<number, Rule>,
    quiet: readonly Silence[],
  ): { episodes: NewEpisode[]; later: Raised[] } {
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
      if (f.kind === alarmKinds.configDrift && !f.enabled) continue;
      const ordered = f.orderedKinds?.includes(f.kind) && at >= orderedAt - 5_000 && at <= Date.parse(f.orderedUntil!);
      if (eventKinds.includes(f.kind) && ordered) continue;
      const { level, enabled } = said.get(f.kind)!;
      if (!enabled) continue;
      episodes.push({ ...f, ...causeOf(f), level, silenced: isSilent(quiet, f) });
    }
    return { episodes, later };
  }

  /** Acknowledges the alarms that the user sees. */
  async acknowledge(body: RouteInput<typeof acknowledgeAlarms>['body']): Promise<{ acknowledged: number }> {
    const { companyId } = context();
    await holdAlarms(companyId);
    const { groups, ended } = await acknowledge('ids' in body ? body : 'all');
    await recount(companyId, groups);
    // Webhooks may see more than the acknowledging user.
    await wholly(() => this.webhooks.alarms('alarm.ended', ended));
    auditNote({ detail: { count: groups.length, ...('ids' in body ? { ids: groups.slice(0, 100) } : {}) } });
    return { acknowledged: groups.length };
  }

  async rules(): Promise<RouteReturn<typeof listAlarmRules>> {
    return [...(await rules())].map(([type, { level, enabled }]) => ({ type, level, enabled }));
  }

  async editRule({
    type,
    level,
    enabled,
  }: RouteInput<typeof editAlarmRule>['body']): Promise<RouteReturn<typeof listAlarmRules>> {
    const { companyId, orgIds } = context();
    if (orgIds !== '*') fail('alarm.narrowed');
    if (!(type in raisedKinds)) fail('common.notFound');
    const before = (await rules()).get(type)!;
    await setRule(companyId, type, { level, enabled });
    auditNote({
      objectId: String(type),
      detail: { before: { level: before.level, enabled: before.enabled }, after: { level, enabled } },
    });
    await emitLive(companyId, 'message', [companyId], null);
    return this.rules();
  }

  async silence({
    type,
    siteId,
    deviceId,
    minutes,
  }: RouteInput<typeof addAlarmSilence>['body']): Promise<{ until: string }> {
    const { companyId, username, orgIds } = context();
    if (siteId !== undefined) found(await currentEntities().findOne(SiteCopy, siteId));
    if (deviceId !== undefined) found(await currentEntities().findOne(DeviceCopy, deviceId));
    await holdAlarms(companyId);
    // Each alarm is matched against all of them.
    if ((await silenceCount()) >= mostSilences) fail('alarm.tooManySilences', { count: mostSilences });
    const scope = orgIds === '*' ? [null] : orgIds;
    const what = { kind: type ?? null, siteId: siteId ?? null, deviceId: deviceId ?? null };
    const { until, groups } = await addSilence({ companyId, createdBy: username, orgIds: scope, minutes }, what);
    await recount(companyId, groups);
    auditNote({
      ...(orgIds === '*' ? {} : { orgIds: [...orgIds] }),
      detail: { before: null, after: { type, siteId, deviceId, until } },
    });
    await emitLive(companyId, 'message', [companyId], orgIds === '*' ? null : [...orgIds]);
    return { until };
  }

  /** Ends a silence. The loop for due signals then notifies of what it suppressed. */
  async endSilence(id: string): Promise<null> {
    const silence = found(await currentEntities().findOne(AlarmSilence, id));
    currentEntities().assign(silence, { until: new Date().toISOString() });
    await currentEntities().flush();
    auditNote({ objectId: id, ...(silence.orgId === null ? {} : { orgIds: [silence.orgId] }) });
    afterCommit(() => this.wake());
    return null;
  }
}

/** Returns the cause that many alarms may share: the refusing server, the lost gateway, or the offline site. */
function causeOf({ kind, source, siteId, siteName }: Fact): Cause {
  if (source !== null)
    return { cause: kind === alarmKinds.offline ? 'gateway' : 'server', causeId: source, causeName: source };
  if (siteId !== null) return { cause: 'site', causeId: siteId, causeName: siteName };
  return { cause: 'none', causeId: null, causeName: null };
}
