import { Injectable } from '@nestjs/common';
import type { getConfigPeriod, listConfigPeriods, RouteReturn } from '@carillon/contracts';
import { configPeriods } from '@carillon/contracts/constants';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { found } from '@carillon/service';
import { ConfigTemplate } from '../config-template/config-template.entity.ts';
import { ConfigContents } from '../device-config/config-content.ts';
import type { Desired } from '../device-config/desired.ts';
import { configuredDevices, layersOf, type ConfiguredDevice } from '../device-config/device-config.queries.ts';
import type { ConfigSources } from '../device-config/device-config.entity.ts';
import { fitsLayout, type Layer } from '../device-config/effective.ts';
import { layoutOf } from '../device-model/key-layout.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import { lineDifferences, restoringValues, settingDifferences } from './config-difference.ts';
import { ConfigPeriod } from './config-period.entity.ts';

/** A content is read by a plain comparison of its key, as elsewhere. */
const period = columns(ConfigPeriod, 'p', ['id', 'version', 'contentId', 'sources', 'way', 'fromAt', 'untilAt'], {
  sealed: computed<string | null>('(select x.sealed from config_content x where x.id = p.content_id)'),
});
type Period = RowOf<typeof period>;

const nothing: Desired = { values: {}, lines: [], emptied: [] };
const nameMost = 64;

/** Shows which configuration a device had when, and what it takes to restore one (CFG-01). */
@Injectable()
export class ConfigPeriodService {
  constructor(private readonly contents: ConfigContents) {}

  async list(id: string, at?: string): Promise<RouteReturn<typeof listConfigPeriods>> {
    found((await configuredDevices('d.id = $1', [id]))[0]);
    const rows = await currentSql().rows(
      period,
      `
        select ${period}
        from config_period p
        where p.device_id = $1 and ($2::timestamptz is null or p.from_at <= $2)
        order by p.from_at desc, p.id desc
        limit $3
      `,
      [id, at ?? null, at === undefined ? configPeriods : 2],
    );
    const opened = await Promise.all(rows.map((row) => this.desired(row)));
    return rows.flatMap((row, n) => {
      if (at !== undefined && (n > 0 || (row.untilAt !== null && row.untilAt <= at))) return [];
      const [after, before] = [opened[n], opened[n + 1]];
      return [
        { ...shown(row), known: after !== undefined, changes: after && before ? changes(row, before, after) : null },
      ];
    });
  }

  async get(id: string, periodId: string): Promise<RouteReturn<typeof getConfigPeriod>> {
    const device = found((await configuredDevices('d.id = $1', [id]))[0]);
    const rows = await currentSql().rows(
      period,
      `select ${period} from config_period p where p.device_id = $1 and p.id = $2`,
      [id, periodId],
    );
    const row = found(rows[0]);
    const then = await this.desired(row);
    if (!then) return { ...shown(row), known: false, settings: [], lines: [], restore: null, remaining: [] };
    const now = await this.wanted(device);
    const layers = (await layersOf([device])).for(device);
    const layout = layoutOf(device);
    const { values, remaining } = restoringValues(then.values, layers, device, vendorOf(device)?.maker, (one) =>
      fitsLayout(layout, one),
    );
    return {
      ...shown(row),
      known: true,
      settings: settingDifferences(then.values, now.values),
      lines: lineDifferences(then.lines, now.lines),
      restore: values && { ...(await ownTemplate(device, layers)), values },
      remaining,
    };
  }

  /** Opens what a device had; undefined when it was not made here, or is no longer kept. */
  private async desired({ contentId, sealed }: Period): Promise<Desired | undefined> {
    return contentId === null || sealed === null ? undefined : (await this.contents.open(contentId, sealed)).desired;
  }

  /** Opens what a device is to have now. */
  private async wanted({ contentId }: ConfiguredDevice): Promise<Desired> {
    if (contentId === null) return nothing;
    const { rows } = await currentSql().query<{ sealed: string }>(
      'select x.sealed from config_content x where x.id = $1',
      [contentId],
    );
    return rows[0] ? (await this.contents.open(contentId, rows[0].sealed)).desired : nothing;
  }
}

const shown = ({ id, version, fromAt, untilAt, way }: Period) => ({ id, version, from: fromAt, until: untilAt, way });

function changes({ sources }: Period, before: Desired, after: Desired) {
  return {
    settings: settingDifferences(before.values, after.values).map((setting) => ({
      ...setting,
      template: templateOf(sources, setting.key),
    })),
    lines: lineDifferences(before.lines, after.lines).map((line) => {
      const account = sources?.accounts.find((one) => one.line === line.line);
      return { ...line, account: account ? { id: account.id, name: account.name } : null };
    }),
  };
}

function templateOf(sources: ConfigSources | null, key: string) {
  const template = sources?.templates.find(({ keys }) => keys.includes(key));
  return template ? { id: template.id, name: template.name, version: template.version } : null;
}

/** Returns the device's own template, or the name of one that it could have. */
async function ownTemplate({ name, mac }: ConfiguredDevice, layers: readonly Layer[]) {
  const own = layers.find(({ level }) => level === 'device');
  const named = columns(ConfigTemplate, 't', ['id', 'name', 'description']);
  const [stored] = await currentSql().rows(
    named,
    `select ${named} from config_template t where t.id = $1 or $1 is null and lower(t.name) = lower($2)`,
    [own?.id ?? null, name.slice(0, nameMost)],
  );
  if (own) return { template: own.id, version: own.version, name: own.name, description: stored?.description ?? '' };
  const free = stored ? `${name.slice(0, nameMost - mac.length - 1)} ${mac}` : name.slice(0, nameMost);
  return { template: null, version: null, name: free, description: '' };
}
