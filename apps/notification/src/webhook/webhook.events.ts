import { Injectable } from '@nestjs/common';
import {
  alarmKinds,
  noticeTypes,
  type AlarmCause,
  type AlarmEnd,
  type AlarmLevel,
  type WebhookEvent,
} from '@carillon/contracts';
import { afterCommit, column, columns, computed, currentSql, iso, uuidv7, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { Alarm, AlarmGroup } from '../alarm/alarm.entity.ts';
import type { NewMessage } from '../message/message.queries.ts';
import { figuresOf, objectNameIn, textOf } from '../message/message.text.ts';
import { insertDeliveries, type NewDelivery } from './delivery.queries.ts';
import { Webhook } from './webhook.entity.ts';
import { WebhookSender } from './webhook.sender.ts';

/** Most devices that an event lists; it also has their number. */
const named = 100;
const levels: readonly AlarmLevel[] = ['low', 'medium', 'high'];
const names = new Map<number, string>([
  ...Object.entries(alarmKinds).map(([name, kind]) => [kind, name] as const),
  ...Object.entries(noticeTypes).map(([name, kind]) => [kind, name] as const),
]);
/** Returns the name of a kind for receivers: an unnamed one of 0 or more is a firmware update (NOTE-06). */
const nameOf = (kind: number): string => names.get(kind) ?? (kind >= 0 ? 'firmwareUpdate' : 'other');

const hook = columns(Webhook, 'w', ['id', 'companyId', 'orgId', 'kinds', 'level', 'language']);
type Hook = RowOf<typeof hook>;

/** Returns the webhooks for an event that the session sees. */
const hooksFor = (event: WebhookEvent): Promise<Hook[]> =>
  currentSql().rows(hook, `select ${hook} from webhook w where w.enabled and $1 = any (w.events)`, [event]);

const wants = ({ kinds, level }: Hook, alarm: { kind: number; level: AlarmLevel }): boolean =>
  (kinds.length === 0 || kinds.includes(alarm.kind)) && levels.indexOf(alarm.level) >= levels.indexOf(level);

const episode = columns(
  Alarm,
  'a',
  [
    'id',
    'companyId',
    'orgId',
    'groupId',
    'kind',
    'deviceId',
    'sub',
    'deviceName',
    'mac',
    'siteId',
    'detail',
    'beganAt',
    'endedAt',
  ],
  {
    ended: computed<AlarmEnd | null>('a.ended'),
    level: computed<AlarmLevel>('l.level'),
    cause: computed<AlarmCause>('l.cause'),
    causeName: column(AlarmGroup, 'l', 'causeName'),
    now: computed<string>('now()', iso),
  },
);
type Episode = RowOf<typeof episode>;

/** Returns whether a webhook's organization sees a message (see `messagePolicy`). */
function sees(orgId: string | null, hook: { orgId: string | null; orgIds?: readonly string[] | undefined }): boolean {
  const part = hook.orgIds !== undefined && hook.orgId !== null;
  if (orgId === null) return !part;
  if (hook.orgIds === undefined) return hook.orgId === null || hook.orgId === orgId;
  const wholly = hook.orgIds.every((id) => id === orgId);
  return part ? hook.orgId === orgId && !wholly : wholly;
}

/** Writes deliveries to webhooks in the transaction of their event (NOTE-05). */
@Injectable()
export class WebhookEvents {
  constructor(private readonly sender: WebhookSender) {}

  /**
   * Writes events of alarms that began or ended together, one per alarm group. Silenced alarms send neither start nor
   * end.
   */
  async alarms(event: 'alarm.raised' | 'alarm.ended', episodeIds: readonly string[]): Promise<void> {
    if (episodeIds.length === 0) return;
    const hooks = await hooksFor(event);
    if (hooks.length === 0) return;
    const episodes = await currentSql().rows(
      episode,
      `
        select ${episode}
        from alarm a
        join alarm_line l on l.id = a.line_id
        where a.id = any ($1::uuid[]) and ${event === 'alarm.raised' ? 'not a.silenced' : 'a.told'}
        order by a.device_name, a.device_id, a.sub
      `,
      [episodeIds],
    );
    await this.store(
      hooks.flatMap((h) => {
        const own = episodes.filter(
          (e) => e.companyId === h.companyId && (h.orgId === null || e.orgId === h.orgId) && wants(h, e),
        );
        return [...Map.groupBy(own, (e) => e.groupId).values()].map((episodes) => aboutAlarm(h, event, episodes));
      }),
    );
  }

  async messages(all: readonly NewMessage[]): Promise<void> {
    const hooks = await hooksFor('message.created');
    if (hooks.length === 0) return;
    await this.store(
      hooks.flatMap((h) =>
        all
          .filter(({ companyId, data }) => companyId === h.companyId && data && sees(h.orgId, data))
          .filter(({ data }) => wants(h, { kind: data!.type, level: data!.level }))
          .map((m) => aboutMessage(h, m)),
      ),
    );
  }

  private async store(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await insertDeliveries(deliveries);
    for (const [companyId, own] of Map.groupBy(deliveries, (d) => d.companyId))
      for (const [orgId, devices] of Map.groupBy(own, (d) => d.orgId))
        await emitLive(
          companyId,
          'webhook',
          [...new Set(devices.map((d) => d.webhookId))],
          orgId === null ? null : [orgId],
        );
    afterCommit(() => this.sender.wake());
  }
}

const delivery = (h: Hook, event: WebhookEvent, about: string, timestamp: string, data: object): NewDelivery => ({
  id: uuidv7(),
  companyId: h.companyId,
  orgId: h.orgId,
  webhookId: h.id,
  event,
  about,
  body: JSON.stringify({ type: event, timestamp, data }),
});

function aboutAlarm(h: Hook, event: 'alarm.raised' | 'alarm.ended', episodes: readonly Episode[]): NewDelivery {
  const [first] = episodes as [Episode];
  const devices = new Set(episodes.map((e) => e.deviceId)).size;
  const object = devices === 1 ? first.deviceName : '';
  const words = textOf(
    first.kind,
    h.language,
    { object, account: first.detail, version: first.detail, count: devices },
    devices,
  );
  const raised = event === 'alarm.raised';
  return delivery(h, event, devices === 1 ? first.deviceName : raised ? words.content : words.title, first.now, {
    alarmId: first.groupId,
    type: first.kind,
    kind: nameOf(first.kind),
    level: first.level,
    cause: first.cause,
    causeName: first.causeName,
    title: words.title,
    // The text describes a state that has ended.
    ...(raised ? { content: words.content } : {}),
    count: episodes.length,
    devices: episodes.slice(0, named).map((e) => ({
      episodeId: e.id,
      id: e.deviceId,
      name: e.deviceName,
      mac: e.mac,
      orgId: e.orgId,
      siteId: e.siteId,
      line: e.sub === 0 ? null : e.sub,
      detail: e.detail,
      beganAt: e.beganAt,
      endedAt: e.endedAt,
      ended: e.ended,
    })),
  });
}

function aboutMessage(h: Hook, { id, at, data }: NewMessage): NewDelivery {
  const { type, level, objectId, orgId, expiresAt, values } = data!;
  const objectName = objectNameIn(h.language, data!.objectName, values);
  const days: Record<string, number> =
    expiresAt === null ? {} : { days: Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.now()) / 86_400_000)) };
  const words = textOf(type, h.language, { ...values, object: objectName ?? '', ...days });
  return delivery(h, 'message.created', objectName ?? words.title, new Date(at).toISOString(), {
    messageId: id,
    type,
    kind: nameOf(type),
    level,
    ...words,
    objectId,
    objectName,
    orgId,
    expiresAt,
    values: figuresOf(values),
  });
}
