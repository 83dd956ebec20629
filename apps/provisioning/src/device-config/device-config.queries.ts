import { createHash } from 'node:crypto';
import { provisioningDeviceConfig, type SettingValues } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { ConfigTemplate } from '../config-template/config-template.entity.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import { ConfigContent, DeviceConfig } from './device-config.entity.ts';
import { effectiveValues, layersFor, linkText, valuesOf, type Layer } from './effective.ts';

const layer = columns(ConfigTemplate, 't', ['id', 'name', 'level', 'model', 'values']);

/** Returns the templates of the company. */
export const companyLayers = (): Promise<Layer[]> =>
  currentSql().rows(layer, `select ${layer} from config_template t order by t.id`);

const known = columns(DeviceCopy, 'd', ['id', 'companyId', 'orgId', 'mac', 'model'], {
  version: computed<string | null>('c.content_version'),
  revision: computed<number | null>('c.revision'),
});
type Known = RowOf<typeof known>;

interface Made {
  contentId: string;
  version: string;
  values: SettingValues;
  text: string;
  sha256: string;
}

/** Returns a UUID (version 8) for a text of a company, always the same. */
function contentIdOf(companyId: string, text: string): string {
  const bytes = createHash('sha256').update(`${companyId} ${text}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function made(companyId: string, layers: readonly Layer[], model: string): Made {
  const values = valuesOf(effectiveValues(layers, model));
  const text = linkText(values);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { contentId: contentIdOf(companyId, text), version: `t${sha256.slice(0, 11)}`, values, text, sha256 };
}

/**
 * Makes the configuration of these devices from the templates of their company, and publishes those that have changed.
 * One company's passes and projections take turns: two of them could otherwise each write what the other has just
 * replaced.
 */
export async function configure(companyId: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await currentSql().query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`device config ${companyId}`]);
  const layers = await companyLayers();
  const devices = await currentSql().rows(
    known,
    `
      select ${known}
      from device_copy d
      left join device_config c on c.id = d.id
      where d.id = any($1::uuid[])
      order by d.id
    `,
    [deviceIds],
  );
  const byModel = new Map<string, Made>();
  const madeFor = (model: string): Made => {
    const one = byModel.get(model) ?? made(companyId, layers, model);
    byModel.set(model, one);
    return one;
  };
  // A device that never had a template gets no empty configuration.
  const wanted = devices.filter(({ model, version }) => version !== null || layersFor(layers, model).length > 0);
  const changed = wanted.filter(({ model, version }) => madeFor(model).version !== version);
  if (changed.length > 0) await store(companyId, changed, madeFor);
}

async function store(companyId: string, devices: readonly Known[], madeFor: (model: string) => Made): Promise<void> {
  const contents = [...new Map(devices.map(({ model }) => [madeFor(model).contentId, madeFor(model)])).values()];
  await currentSql().query(
    `
      insert into config_content (id, company_id, values, text, sha256, made_at)
      select m."contentId", $2, m.values, m.text, m.sha256, now()
      from jsonb_to_recordset($1::jsonb) as m("contentId" uuid, values jsonb, text text, sha256 text)
      order by m."contentId"
      on conflict (id) do nothing
    `,
    [JSON.stringify(contents), companyId],
  );
  const rows = devices.map(({ id, mac, model, revision }) => {
    const { contentId, version, text, sha256 } = madeFor(model);
    return { id, mac, contentId, version, size: Buffer.byteLength(text), sha256, revision: (revision ?? 0) + 1 };
  });
  await currentSql().query(
    `
      insert into device_config as c (id, company_id, content_id, content_version, revision, changed_at)
      select m.id, $2, m."contentId", m.version, m.revision, now()
      from jsonb_to_recordset($1::jsonb) as m(id uuid, "contentId" uuid, version text, revision int)
      order by m.id
      on conflict (id) do update set
        content_id = excluded.content_id, content_version = excluded.content_version, revision = excluded.revision,
        changed_at = excluded.changed_at
    `,
    [JSON.stringify(rows), companyId],
  );
  await emitMany(
    provisioningDeviceConfig,
    'config',
    rows.map(({ id, mac, contentId, version, size, sha256, revision }) => ({
      key: id,
      companyId,
      version: revision,
      data: { deviceId: id, companyId, version, contentId, fileName: `${mac}.txt`, size, sha256 },
    })),
  );
  await emitLive(
    companyId,
    'device',
    devices.map(({ id }) => id),
    devices.map(({ orgId }) => orgId),
  );
}

const gone = columns(DeviceConfig, 'c', ['id', 'companyId', 'revision']);

/** Forgets the configurations of deleted devices, and publishes that. */
export async function forgetConfigs(deviceIds: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    gone,
    `
      delete from device_config c
      where c.id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = c.id)
      returning ${gone}
    `,
    [deviceIds],
  );
  await emitMany(
    provisioningDeviceConfig,
    'config',
    rows.map(({ id, companyId, revision }) => ({ key: id, companyId, data: null, version: revision + 1 })),
  );
}

const content = columns(ConfigContent, 'x', ['values', 'text', 'sha256']);
/** Returns a content by its id; undefined when it does not exist in the company. */
export const contentById = async (id: string): Promise<RowOf<typeof content> | undefined> =>
  (await currentSql().rows(content, `select ${content} from config_content x where x.id = $1`, [id]))[0];
