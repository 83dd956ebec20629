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
import { currentSql, Database, inCompany } from '@carillon/persistence';
import {
  auditNote,
  CONFIG,
  CONTEXT_KEY,
  downloadKey,
  fail,
  found,
  readDownloadToken,
  type DownloadGrant,
} from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import { addressKey, addressToken, claimedBy, isTokenOf } from './config-address.ts';
import { ConfigContents } from './config-content.ts';
import {
  assignedLines,
  configuredDevices,
  layersOf,
  loadingDevice,
  type ConfiguredDevice,
  type LoadingDevice,
} from './device-config.queries.ts';
import { emptiedLines } from './desired.ts';
import { effectiveValues, valuesOf, type Layer } from './effective.ts';

const named = ({ id, name, level }: Layer) => ({ id, name, level });

/** A file as a device gets it. */
interface LoadedConfig {
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
    const effective = effectiveValues((await layersOf([one])).for(one));
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
      emptied: emptiedLines(one.lines, lines),
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

  /**
   * Returns a file to a device, which has no session: the token alone identifies it. It counts as loaded only for a
   * phone, whose User-Agent names its MAC: a person who opens the address changes nothing.
   */
  async load(token: string, file: string, userAgent = ''): Promise<LoadedConfig> {
    const grant = readDownloadToken(this.downloads, token);
    if (grant) return this.byCommand(grant);
    const claimed = claimedBy(this.addresses, token);
    if (!claimed) return fail('common.notFound');
    return inCompany(this.database, claimed.companyId, async () => {
      const one = await loadingDevice(claimed.id);
      if (!one || !isTokenOf(this.addresses, one, token)) return fail('common.notFound');
      const made = await this.fileOf(one, file.toLowerCase());
      if (userAgent.replaceAll(/[:-]/g, '').toLowerCase().includes(one.mac)) await noteLoad(one);
      return { ...made, etag: `"${one.version}.${one.revision}"` };
    });
  }

  /** Returns the text that a command named, as it was then: the device checks it against the command's checksum. */
  private byCommand(grant: DownloadGrant): Promise<LoadedConfig> {
    const { companyId, deviceId, ownerEpoch, fileId, beginBy, until } = grant;
    const now = Date.now();
    if (now > beginBy || now > until) return fail('common.notFound');
    return inCompany(this.database, companyId, async () => {
      const one = await loadingDevice(deviceId, fileId);
      if (one?.ownerEpoch !== ownerEpoch) return fail('common.notFound');
      const { text } = await this.contents.open(one.contentId, one.sealed);
      return { text, contentType: plain, etag: `"${fileId}"` };
    });
  }

  private async fileOf(one: LoadingDevice, file: string): Promise<{ text: string; contentType: string }> {
    const vendor = vendorOf(one);
    const isPlain = file === `${one.mac}.txt`;
    if (!isPlain && file !== vendor?.fileOf(one.mac)) return fail('common.notFound');
    const { desired, text } = await this.contents.open(one.contentId, one.sealed);
    return isPlain
      ? { text, contentType: plain }
      : { text: vendor!.render(desired, one.revision), contentType: vendor!.contentType };
  }

  /** Fails when the user does not see the device; another company's device is treated as not found. */
  private async seen(id: string): Promise<ConfiguredDevice> {
    return found((await configuredDevices('d.id = $1', [id]))[0]);
  }
}

/**
 * Stores that a device has loaded its file, at most once a minute, and reports the version when it is another one, as a
 * device on the MQTT link does itself.
 */
async function noteLoad(one: LoadingDevice): Promise<void> {
  const { id, companyId, mac, ownerEpoch, version, loadedVersion, isOld } = one;
  if (version === null || (loadedVersion === version && !isOld)) return;
  await currentSql().query('update device_config set loaded_at = now(), loaded_version = $2 where id = $1', [
    id,
    version,
  ]);
  if (loadedVersion === version) return;
  const now = Date.now();
  const payload = { at: now, configVersion: version };
  await emit(
    linkReport,
    'state',
    id,
    { deviceId: id, mac, ownerEpoch, epoch: 0, receivedAt: now, payload },
    { companyId },
  );
}
