import { Inject, Injectable } from '@nestjs/common';
import {
  fillPath,
  linkReport,
  loadDeviceConfig,
  type getDeviceConfig,
  type ConfigOutcome,
  type getDeviceConfigAddress,
  type listConfigRequests,
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
import { ConfigRequestLog, requestsOf } from '../config-request/config-request.log.ts';
import type { ProvisioningConfig } from '../config.ts';
import { agentNames, macInAgent } from '../vendor/agent.ts';
import { isFileName, plainFile } from '../vendor/file-name.ts';
import type { Vendor } from '../vendor/vendor.ts';
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
  /** The device has this version already. */
  isUnchanged: boolean;
}
/** What becomes of a request: the file, unless it is refused. */
interface Answered {
  outcome: ConfigOutcome;
  made?: LoadedConfig;
}
/** Who asks for a file. */
export interface Caller {
  userAgent: string;
  /** IP address. */
  address: string;
  /** ETag of the version that the device has. */
  etag: string | undefined;
}

interface MadeFile extends Pick<LoadedConfig, 'text' | 'contentType'> {
  /** The maker whose syntax the file has. */
  vendor?: Vendor | undefined;
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
    private readonly requests: ConfigRequestLog,
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
      linesWithoutName: lines.map(({ line }) => line).filter((line) => line > (vendor?.mostLines ?? Infinity)),
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

  async asked(id: string): Promise<RouteReturn<typeof listConfigRequests>> {
    await this.seen(id);
    return requestsOf(id);
  }

  /**
   * Returns a file to a device, which has no session: the token alone identifies it. What became of the request is
   * recorded for the device.
   */
  async load(token: string, file: string, by: Caller): Promise<LoadedConfig> {
    const grant = readDownloadToken(this.downloads, token);
    if (grant) return this.byCommand(grant);
    const claimed = claimedBy(this.addresses, token);
    if (!claimed) return fail('common.notFound');
    const name = file.toLowerCase();
    const { outcome, made } = await this.outcomeOf(claimed, token, name, by);
    this.requests.note({
      deviceId: claimed.id,
      file: name,
      outcome,
      userAgent: by.userAgent,
      address: by.address,
    });
    return made ?? fail('common.notFound');
  }

  /**
   * Finds the file that a device asks for. It counts as loaded only for a phone of the maker, whose User-Agent names
   * its MAC: a person who opens the address changes nothing. A phone asks for several names when it starts; most of
   * them cost no query.
   */
  private async outcomeOf(
    claimed: { companyId: string; id: string },
    token: string,
    name: string,
    { userAgent, etag: known }: Caller,
  ): Promise<Answered> {
    if (!isFileName(name)) return { outcome: 'otherFile' };
    return inCompany(this.database, claimed.companyId, async (): Promise<Answered> => {
      const one = await loadingDevice(claimed.id);
      if (!one) return { outcome: 'nothing' };
      if (!isTokenOf(this.addresses, one, token)) return { outcome: 'oldAddress' };
      const file = await this.fileOf(one, name, vendorOf(one, userAgent));
      if (!file) return { outcome: 'otherFile' };
      const { vendor, text, contentType } = file;
      const isPhone = vendor ? macInAgent(vendor, userAgent) === one.mac : agentNames(userAgent, one.mac);
      if (isPhone) await noteLoad(one);
      const etag = `"${one.version}.${one.revision}"`;
      const isUnchanged = known === etag;
      return { outcome: isUnchanged ? 'unchanged' : 'loaded', made: { text, contentType, etag, isUnchanged } };
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
      return { text, contentType: plain, etag: `"${fileId}"`, isUnchanged: false };
    });
  }

  /** Returns the maker's file, or for any device the text of the link, which has no maker. */
  private async fileOf(one: LoadingDevice, file: string, vendor: Vendor | undefined): Promise<MadeFile | undefined> {
    const isPlain = file === plainFile(one.mac);
    if (!isPlain && file !== vendor?.fileOf(one.mac)) return undefined;
    const { desired, text } = await this.contents.open(one.contentId, one.sealed);
    return isPlain
      ? { text, contentType: plain }
      : { text: vendor!.render(desired, one.revision), contentType: vendor!.contentType, vendor };
  }

  /** Fails when the user does not see the device; another company's device is treated as not found. */
  private async seen(id: string): Promise<ConfiguredDevice> {
    return found((await configuredDevices('d.id = $1', [id]))[0]);
  }
}

/**
 * Stores that a device has loaded its file, at most once a minute, and reports the version when the device is not known
 * to have it, as a device on the MQTT link does itself.
 */
async function noteLoad(one: LoadingDevice): Promise<void> {
  const { id, companyId, mac, ownerEpoch, version, loadedVersion, isOld, reported } = one;
  if (version === null || (loadedVersion === version && !isOld)) return;
  await currentSql().query('update device_config set loaded_at = now(), loaded_version = $2 where id = $1', [
    id,
    version,
  ]);
  if (reported === version) return;
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
