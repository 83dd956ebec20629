import { Injectable } from '@nestjs/common';
import { provisioningDeviceConfig, type SettingValues } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { columns, currentSql, Database, inCompany, type RowOf } from '@carillon/persistence';
import { CompanySecrets, emitLive, WorkLoop } from '@carillon/service';
import { forgetPeriods } from '../config-period/config-period.record.ts';
import { forgetRequests } from '../config-request/config-request.log.ts';
import { forgetFirstAccess } from '../first-access/first-access.queries.ts';
import { forgetLines } from '../phone-event/phone-state.queries.ts';
import { forgetSessions } from '../phone-session/phone-session.queries.ts';
import { layoutOf } from '../device-model/key-layout.ts';
import { placeOf } from '../sip-account/sip-account.service.ts';
import { spreadChanges, wakeFor } from './config-due.ts';
import { ConfigPasswords } from '../config-template/config-password.service.ts';
import { ConfigContents, type MadeContent } from './config-content.ts';
import { desiredKeys, emptiedLines, isWanted, type Desired, type DesiredLine, type Passwords } from './desired.ts';
import { ConfigDue, type ConfigSources } from './device-config.entity.ts';
import {
  assignedLines,
  configuredDevices,
  forgetConfigs,
  endConfigs,
  layersOf,
  type AssignedLine,
  type ConfiguredDevice,
} from './device-config.queries.ts';
import { effectiveValues, fitsLayout, sourcesOf, valuesOf, type Layers } from './effective.ts';
import { vendorOf } from '../vendor/vendor-of.ts';

const log = createLogger('configuration');
const tickMs = 5_000;
/** Devices per transaction, which limits how long other changes of them wait. */
const chunk = 1_000;
/** Companies at a time, chosen at random: one with many devices holds up no other. */
const atOnce = 2;

/** A device whose content is another one, with what this is made of. */
interface Changed {
  device: ConfiguredDevice;
  content: MadeContent;
  lines: number[];
  sources: ConfigSources;
}

const company = columns(ConfigDue, 'u', ['companyId']);
const taken = columns(ConfigDue, 'u', ['id']);

/** Makes the configurations that are due, and publishes those that have changed. */
@Injectable()
export class DeviceConfigLoop extends WorkLoop<RowOf<typeof company>> {
  constructor(
    database: Database,
    private readonly contents: ConfigContents,
    private readonly secrets: CompanySecrets,
    private readonly passwords: ConfigPasswords,
  ) {
    super(database, { reason: 'which companies have configurations to be made, of all', tickMs, atOnce });
    wakeFor(database, this);
  }

  protected override claim(): Promise<RowOf<typeof company>[]> {
    return currentSql().rows(
      company,
      `
        with recursive due (company_id) as (
          (select company_id from config_due order by company_id limit 1)
          union all
          select (
            select o.company_id from config_due o where o.company_id > due.company_id order by o.company_id limit 1
          )
          from due
          where due.company_id is not null
        ),
        u as (
          select company_id from due where company_id is not null
          union
          select company_id from config_change
        )
        select ${company}
        from u
        order by random()
        limit ${atOnce}
      `,
    );
  }

  /** Makes the next chunk of a company. */
  protected override async perform({ companyId }: RowOf<typeof company>): Promise<void> {
    await inCompany(this.database, companyId, spreadChanges);
    const done = await inCompany(this.database, companyId, async () => {
      // Locked rows belong to another process, or to a change that is not committed yet.
      const rows = await currentSql().rows(
        taken,
        `
          delete from config_due u
          where u.id in (select o.id from config_due o order by o.id limit ${chunk} for update skip locked)
          returning ${taken}
        `,
      );
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await this.make(companyId, ids);
      return ids.length;
    });
    if (done === chunk) this.wake();
  }

  private async make(companyId: string, ids: readonly string[]): Promise<void> {
    const devices = await configuredDevices('d.id = any($1::uuid[])', [ids]);
    const layers = await layersOf(devices);
    if (devices.length < ids.length) {
      await forgetConfigs(ids);
      await forgetRequests(ids);
      await forgetFirstAccess(ids);
      await forgetPeriods(ids);
      // In the order in which an event locks them.
      await forgetSessions(ids);
      await forgetLines(ids);
    }
    const lines = Map.groupBy(await assignedLines(ids), ({ deviceId }) => deviceId);
    const passwordsOf = this.passwords.opener();
    const changed: Changed[] = [];
    const ended: ConfiguredDevice[] = [];
    for (const device of devices) {
      const own = lines.get(device.id) ?? [];
      const desired = await this.desired(device, layers, own, passwordsOf).catch((err: unknown) => {
        // A password that no key opens: the device keeps what it has, and the others go on.
        log.warn({ err, deviceId: device.id }, 'the configuration of a device could not be made');
      });
      if (!desired) continue;
      if (!isWanted(desired)) {
        if (device.version !== null) ended.push(device);
        continue;
      }
      const content = this.contents.made(companyId, desired);
      const numbers = [...desired.lines.map(({ line }) => line), ...desired.emptied];
      if (content.version === device.version) continue;
      const sources = {
        templates: sourcesOf(effectiveValues(layers.for(device), device, vendorOf(device)?.maker)),
        accounts: own.map(({ line, id, name }) => ({ line, id, name })),
      };
      changed.push({ device, content, lines: numbers, sources });
    }
    if (changed.length + ended.length === 0) return;
    const contents = new Map(changed.map(({ content }) => [content.id, content]));
    const replaced = new Set([...changed.map(({ device }) => device), ...ended].flatMap((one) => one.contentId ?? []));
    await this.contents.keep(companyId, [...contents.values()], [...replaced]);
    await store(companyId, changed);
    await endConfigs(ended);
    const refreshed = [...changed.map(({ device }) => device), ...ended];
    await emitLive(
      companyId,
      'device',
      refreshed.map(({ id }) => id),
      refreshed.map(({ orgId }) => orgId),
    );
  }

  private async desired(
    device: ConfiguredDevice,
    layers: Layers,
    assigned: readonly AssignedLine[],
    passwordsOf: (values: SettingValues) => Promise<Passwords>,
  ): Promise<Desired> {
    const lines: DesiredLine[] = [];
    for (const account of assigned) lines.push(await this.line(account));
    const layout = layoutOf(device);
    const effective = effectiveValues(layers.for(device), device, vendorOf(device)?.maker);
    const values = valuesOf(effective.filter((one) => fitsLayout(layout, one)));
    return {
      values,
      passwords: await passwordsOf(values),
      keys: desiredKeys(values, layout),
      lines,
      emptied: emptiedLines(device.lines, assigned),
    };
  }

  private async line({ id, authPassword, ...account }: AssignedLine): Promise<DesiredLine> {
    const { proxyAddress, backupAddress } = account;
    return {
      line: account.line,
      label: account.name,
      display: account.displayName,
      user: account.number,
      auth: account.authUser,
      password: authPassword === null ? '' : await this.secrets.open(placeOf('authPassword', id), authPassword),
      server: account.address,
      port: account.port,
      transport: account.transport,
      domain: account.domain,
      proxy: proxyAddress === null ? null : { address: proxyAddress, port: account.proxyPort },
      backup: backupAddress === null ? null : { address: backupAddress, port: account.backupPort },
      voicemail: account.voicemailNumber,
    };
  }
}

async function store(companyId: string, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map(({ device, content, lines, sources }) => ({
    id: device.id,
    contentId: content.id,
    version: content.version,
    revision: (device.revision ?? 0) + 1,
    lines,
    sources,
  }));
  await currentSql().query(
    `
      insert into device_config as c
        (id, company_id, content_id, content_version, revision, lines, sources, changed_at)
      select m.id, $2, m."contentId", m.version, m.revision, array(select jsonb_array_elements_text(m.lines)::int),
        m.sources, now()
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, "contentId" uuid, version text, revision int, lines jsonb, sources jsonb
      )
      order by m.id
      on conflict (id) do update set
        content_id = excluded.content_id, content_version = excluded.content_version,
        -- A command may have raised it since it was read.
        revision = greatest(excluded.revision, c.revision + 1),
        lines = excluded.lines, sources = excluded.sources, changed_at = excluded.changed_at
    `,
    [JSON.stringify(rows), companyId],
  );
  await emitMany(
    provisioningDeviceConfig,
    'config',
    changed.map(({ device, content: { id, version, size, sha256 } }) => ({
      key: device.id,
      companyId,
      version: (device.revision ?? 0) + 1,
      data: { deviceId: device.id, companyId, version, contentId: id, fileName: `${device.mac}.txt`, size, sha256 },
    })),
  );
}
