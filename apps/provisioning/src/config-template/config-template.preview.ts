import { setImmediate } from 'node:timers/promises';
import {
  isRawSettingName,
  isSameValue,
  templateKeys,
  valueText,
  type PhoneKeyFacts,
  type previewConfigTemplate,
  type RouteReturn,
  type SettingValues,
  type TemplateKey,
  type TemplateValue,
} from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import { concernSql } from '../device-config/config-due.ts';
import { layersOf, placeSql } from '../device-config/device-config.queries.ts';
import { layoutOf, type ModelKeys } from '../device-model/key-layout.ts';
import { seriesJoinSql } from '../device-model/series.ts';
import { effectiveValues, fitsLayout, Layers, type Layer, type Placed } from '../device-config/effective.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { vendorOf } from '../vendor/vendor-of.ts';

type Preview = RouteReturn<typeof previewConfigTemplate>;

const mostChanges = 5;
/** Groups of devices that are compared before other calls get their turn. */
const groupsAtOnce = 500;

/** Devices that have the same templates, with the id of a device that has one of its own. */
const alike = columns(DeviceCopy, 'd', ['orgId', 'model', 'groupIds'], {
  id: computed<string | null>('d.own_id'),
  siteIds: computed<string[]>(`coalesce(place.ids, '{}')`),
  siteZone: computed<string | null>('place.zone'),
  series: computed<string | null>('r.series'),
  keys: computed<PhoneKeyFacts | null>('r.keys'),
  known: computed<string | null>('r.model'),
  mac: computed<string>('d.prefix'),
  devices: computed<number>('d.devices'),
});

/** Returns the devices that a template is for, put together where the same templates are for them. */
async function devicesAlike(
  { level, target }: Pick<Layer, 'level' | 'target'>,
  byMaker: boolean,
): Promise<(Alike & Counted)[]> {
  const rows = await currentSql().rows(
    alike,
    `
      with alike as materialized (
        select d.org_id, d.model, d.group_ids, d.site_id, t.id::uuid as own_id, p.prefix, count(*)::int as devices
        from device_copy d
        cross join lateral (select case when $3 then left(d.mac, 6) else '' end as prefix) p
        left join (
          select o.target as id from config_template o where o.level = 'device'
          -- A template that is not stored yet.
          union
          select unnest($2::text[])
        ) t on t.id = d.id::text
        where ${concernSql[level]('$1::text[]')} and $1::text[] is not null
        group by d.org_id, d.model, d.group_ids, d.site_id, t.id, p.prefix
      ),
      -- Once for each site: many of these rows have the same.
      place as materialized (
        select x.site_id, p.*
        from (select distinct a.site_id from alike a) x
        cross join lateral (${placeSql('x.site_id')}) p
      )
      select ${alike}
      from alike d
      left join place on place.site_id = d.site_id
      ${seriesJoinSql}
    `,
    [target === null ? [] : [target], level === 'device' ? [target] : [], byMaker],
  );
  return rows.map(({ id, ...row }) => ({ id: id ?? '', ...row }));
}
/** Devices for which the same templates count; `mac` begins their MACs, and is empty where no maker matters. */
type Alike = Placed & ModelKeys & { mac: string };
interface Counted {
  devices: number;
}

/** What a setting has on devices, and would have. */
interface Change {
  before: TemplateValue | null;
  after: TemplateValue | null;
}

/** Counts what one setting of a template changes. */
class SettingChanges {
  private changed = 0;
  private overridden = 0;
  private readonly byValues = new Map<string, Change & Counted>();

  constructor(
    private readonly key: TemplateKey,
    private readonly lock: Preview['settings'][number]['lock'],
  ) {}

  /** Returns whether the value changes. */
  count(change: Change, devices: number, decides: boolean): boolean {
    if (!decides) this.overridden += devices;
    const values = [change.before, change.after].map((value) => valueText(value ?? undefined)).join(' ');
    if (isSameValue(change.before ?? undefined, change.after ?? undefined)) return false;
    this.changed += devices;
    const counted = this.byValues.get(values) ?? { ...change, devices: 0 };
    this.byValues.set(values, { ...counted, devices: counted.devices + devices });
    return true;
  }

  summary(): Preview['settings'][number] {
    const { key, changed, overridden, lock } = this;
    const changes = [...this.byValues.values()].sort((a, b) => b.devices - a.devices).slice(0, mostChanges);
    return { key, changed, overridden, lock, changes };
  }
}

/**
 * Compares what each device of a template has with what it would have when the template had other values and locks, or
 * did not exist (null). Devices with the same templates are compared once.
 */
export async function previewOf(
  template: Layer,
  values: SettingValues | null,
  locked: readonly TemplateKey[],
): Promise<Preview> {
  const keys = templateKeys(template.values, values ?? {}).filter(
    (key) =>
      !isSameValue(template.values[key], values?.[key]) || template.locked.includes(key) !== locked.includes(key),
  );
  // Each setting is decided for itself, and the maker matters for raw ones only.
  const byMaker = keys.some((key) => isRawSettingName(key));
  const groups = await devicesAlike(template, byMaker);
  const stored = await layersOf(groups);
  const after = stored.with({ ...template, locked }, values);
  const locks = after.locks(template.id);
  const changes = new Map(keys.map((key) => [key, new SettingChanges(key, locks.get(key) ?? null)]));
  let [devices, changed] = [0, 0];
  for (const [index, group] of groups.entries()) {
    if (index % groupsAtOnce === 0) await setImmediate();
    devices += group.devices;
    const [had, gets] = [decidedBy(stored, group, byMaker), decidedBy(after, group, byMaker)];
    let isOther = false;
    for (const [key, counted] of changes) {
      const deciding = (gets.get(key) ?? had.get(key))?.layer.id;
      const lost = had.get(key)?.layer.id === template.id;
      const change = { before: had.get(key)?.value ?? null, after: gets.get(key)?.value ?? null };
      // Undefined: the model does not have the key, or another maker, and nothing decides there.
      const decides = lost || deciding === undefined || deciding === template.id;
      isOther = counted.count(change, group.devices, decides) || isOther;
    }
    if (isOther) changed += group.devices;
  }
  return { devices, changed, settings: [...changes.values()].map((counted) => counted.summary()) };
}

/** Returns what decides on a device, by setting. A key that its model does not have changes nothing
 * there, and neither does a raw setting of another maker. */
function decidedBy(layers: Layers, placed: Alike, byMaker: boolean) {
  const layout = layoutOf(placed);
  return new Map(
    effectiveValues(layers.for(placed), placed, byMaker ? vendorOf(placed)?.maker : undefined)
      .filter((effective) => fitsLayout(layout, effective))
      .map((effective) => [effective.key, effective]),
  );
}
