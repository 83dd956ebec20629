import { Inject, Injectable } from '@nestjs/common';
import {
  fillPath,
  linkReport,
  loadDeviceConfig,
  type getDeviceConfig,
  type getDeviceConfigAddress,
  type RouteReturn,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { currentSql, Database, inCompany, platform } from '@carillon/persistence';
import { auditNote, CONFIG, CONTEXT_KEY, downloadKey, fail, found, readDownloadToken } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { vendorOf } from '../vendor/vendor.ts';
import { addressKey, addressToken, deviceOfToken, isTokenOf } from './config-address.ts';
import { ConfigContents } from './config-content.ts';
import { assignedLines, companyLayers, configuredDevices, type ConfiguredDevice } from './device-config.queries.ts';
import { effectiveValues, valuesOf, type Layer } from './effective.ts';

const named = ({ id, name, level }: Layer) => ({ id, name, level });

/** A file as a device gets it. */
export interface LoadedConfig {
  text: string;
  contentType: string;
  etag: string;
}

const plain = 'text/plain; charset=utf-8';

/** Shows what devices are to have, and serves it to them (CFG-01, EDGE-01). */
@Injectable()
export class DeviceConfigService {
  private readonly addresses: Buffer;
  private readonly downloads: Buffer;

  constructor(
    private readonly database: Database,
    private readonly contents: ConfigContents,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
    @Inject(CONTEXT_KEY) contextKey: Buffer,
  ) {
    this.addresses = addressKey(dataKey);
    this.downloads = downloadKey(contextKey);
  }

  async get(id: string): Promise<RouteReturn<typeof getDeviceConfig>> {
    const one = await this.seen(id);
    const effective = effectiveValues((await companyLayers()).for(one));
    const lines = await assignedLines([id]);
    const vendor = vendorOf(one);
    return {
      version: one.version,
      changedAt: one.changedAt,
      values: effective.map(({ key, value, layer, overridden }) => ({
        key,
        value,
        template: named(layer),
        overridden: overridden.map((other) => ({ value: other.value, template: named(other.layer) })),
      })),
      lines: lines.map(({ line, id: accountId, name, number, serverName }) => ({
        line,
        account: { id: accountId, name, number },
        server: serverName,
      })),
      withoutName: vendor ? vendor.withoutName(valuesOf(effective)) : null,
      loadedAt: one.loadedAt,
      loadedVersion: one.loadedVersion,
    };
  }

  async address(id: string): Promise<RouteReturn<typeof getDeviceConfigAddress>> {
    const one = await this.seen(id);
    auditNote({ objectId: id, objectName: one.name });
    const token = addressToken(this.addresses, one);
    const vendor = vendorOf(one);
    const pathOf = (file: string) => fillPath(loadDeviceConfig.path, { token, file });
    return { folder: pathOf('x').slice(0, -1), file: vendor ? pathOf(vendor.fileOf(one.mac)) : null };
  }

  /** Returns a file to a device, which has no session: the token alone identifies it. */
  async load(token: string, file: string): Promise<LoadedConfig> {
    const grant = readDownloadToken(this.downloads, token);
    if (grant) return this.byCommand(grant);
    const id = deviceOfToken(token);
    const one = id === undefined ? undefined : await this.enabled(id);
    if (!one || one.version === null || !isTokenOf(this.addresses, one, token)) return fail('common.notFound');
    return inCompany(this.database, one.companyId, async () => {
      const made = await this.fileOf(one, file.toLowerCase());
      await this.noteLoad(one);
      return { ...made, etag: `"${one.version}.${one.revision}"` };
    });
  }

  /** Returns the text that a command named, as it was then: the device checks it against the command's checksum. */
  private async byCommand(grant: NonNullable<ReturnType<typeof readDownloadToken>>): Promise<LoadedConfig> {
    const now = Date.now();
    if (now > grant.beginBy || now > grant.until) return fail('common.notFound');
    const one = await this.enabled(grant.deviceId);
    if (one?.companyId !== grant.companyId || one.ownerEpoch !== grant.ownerEpoch) return fail('common.notFound');
    const content = await inCompany(this.database, grant.companyId, () => this.contents.open(grant.fileId));
    if (!content) return fail('common.notFound');
    return { text: content.text, contentType: plain, etag: `"${grant.fileId}"` };
  }

  private async fileOf(one: ConfiguredDevice, file: string): Promise<{ text: string; contentType: string }> {
    const vendor = vendorOf(one);
    const isPlain = file === `${one.mac}.txt`;
    if (!isPlain && file !== vendor?.fileOf(one.mac)) return fail('common.notFound');
    const { desired, text } = found(await this.contents.open(one.contentId!));
    return isPlain
      ? { text, contentType: plain }
      : { text: vendor!.render(desired, one.revision!), contentType: vendor!.contentType };
  }

  /**
   * Stores that a device has loaded its file, and reports the version when it is another one, as a device on the MQTT
   * link does itself.
   */
  private async noteLoad({ id, companyId, mac, ownerEpoch, version, loadedVersion }: ConfiguredDevice): Promise<void> {
    await currentSql().query(
      `
        update device_config
        set loaded_at = now(), loaded_version = $2
        where id = $1 and (loaded_version is distinct from $2 or loaded_at < now() - interval '1 minute')
      `,
      [id, version],
    );
    if (loadedVersion === version) return;
    const now = Date.now();
    const payload = { at: now, configVersion: version! };
    await emit(
      linkReport,
      'state',
      id,
      { deviceId: id, mac, ownerEpoch, epoch: 0, receivedAt: now, payload },
      { companyId },
    );
  }

  /** Fails when the user does not see the device; another company's device is treated as not found. */
  private async seen(id: string): Promise<ConfiguredDevice> {
    return found((await configuredDevices('d.id = $1', [id]))[0]);
  }

  /** Returns a device of any company that may load its configuration: it is enabled, and its company is open. */
  private async enabled(id: string): Promise<ConfiguredDevice | undefined> {
    const isOpen = 'not exists (select 1 from company_copy x where x.id = d.company_id and not x.open)';
    const [one] = await platform(this.database, 'which device loads its configuration', () =>
      configuredDevices(`d.id = $1 and d.enabled and ${isOpen}`, [id]),
    );
    return one;
  }
}
