import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { linkReport, type ConfigOutcome } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { Database, inCompany, uuidv7 } from '@carillon/persistence';
import { CACHE, CONFIG, CONTEXT_KEY, downloadKey, readDownloadToken } from '@carillon/service';
import type { Cache, DownloadGrant } from '@carillon/service';
import { ConfigRequestLog } from '../config-request/config-request.log.ts';
import type { ProvisioningConfig } from '../config.ts';
import { PhoneGuard } from '../phone-port/phone-guard.ts';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { agentNames, isPhoneOf } from '../vendor/agent.ts';
import { isFileName, isNameOf, plainFile } from '../vendor/file-name.ts';
import { renderFile } from '../vendor/vendor.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import { addressFolder, addressKey, claimedBy, isTokenOf } from './config-address.ts';
import type { ConfigAnswer, ConfigFile } from './config-answer.ts';
import { ConfigContents } from './config-content.ts';
import { loadingDevice, type LoadingDevice } from './device-config.queries.ts';
import { LoadNotes } from './load-notes.ts';

const log = createLogger('config-loads');
const plain = 'text/plain; charset=utf-8';
const hourMs = 3_600_000;

/** Who asks for a file. */
export interface Caller {
  userAgent: string;
  /** IP address. */
  address: string;
}

/** A refused request: an unknown path, or too many requests. */
export type RefusedLoad = 'unknown' | 'tooMany';

/** A request whose token was made here. Nothing was read for it yet. */
type OpenedLoad =
  | { grant: DownloadGrant }
  | { claimed: { companyId: string; id: string }; token: string; name: string };

/** A file for a device. */
export interface GrantedLoad {
  file: ConfigFile;
  /** Records what became of the request, once its last byte was sent or the connection is gone. */
  ended(outcome: ConfigAnswer['outcome']): void;
}

const markOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Returns the ETag of a device's file. It differs when the address in the file does. */
const etagOf = ({ version, revision }: LoadingDevice, folder?: string): string =>
  `"${version}.${revision}${folder ? `.${markOf(folder)}` : ''}"`;

type Found = { outcome: ConfigOutcome } | { one: LoadingDevice; file: ConfigFile; isPhone: boolean };

/** Gives devices their configurations over HTTP (EDGE-01, EDGE-02). A device has no session: its token identifies it. */
@Injectable()
export class ConfigLoads {
  private readonly addresses: Buffer;
  private readonly downloads: Buffer;

  constructor(
    private readonly database: Database,
    private readonly contents: ConfigContents,
    private readonly requests: ConfigRequestLog,
    private readonly notes: LoadNotes,
    private readonly guard: PhoneGuard,
    private readonly origin: PhoneOrigin,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
    @Inject(CONTEXT_KEY) contextKey: Buffer,
  ) {
    this.addresses = addressKey(dataKey);
    this.downloads = downloadKey(contextKey);
  }

  /** Checks token and limits. Costs no query. */
  open(token: string, file: string, by: Caller): OpenedLoad | RefusedLoad {
    const grant = readDownloadToken(this.downloads, token);
    if (grant) return this.guard.admitsCommand(grant.commandId) ? { grant } : 'tooMany';
    const claimed = claimedBy(this.addresses, token);
    if (!claimed) return this.guard.admitsForged(by.address) ? 'unknown' : 'tooMany';
    const name = file.toLowerCase();
    if (this.guard.admits(claimed.id, token, by.address, 'file')) return { claimed, token, name };
    this.requests.note({ deviceId: claimed.id, file: name, outcome: 'tooMany', ...by });
    return 'tooMany';
  }

  /** Finds the file of an opened request. A refusal is recorded for the device. */
  async load(opened: OpenedLoad, by: Caller): Promise<GrantedLoad | RefusedLoad> {
    if ('grant' in opened) return this.byCommand(opened.grant);
    const { claimed, token, name } = opened;
    const found = await this.find(opened, by);
    const note = (outcome: ConfigOutcome): void =>
      this.requests.note({ deviceId: claimed.id, file: name, outcome, ...by });
    if ('file' in found)
      return {
        file: found.file,
        ended: (outcome) => {
          note(outcome);
          if (found.isPhone && outcome !== 'partial') this.notes.note(found.one);
        },
      };
    if (found.outcome !== 'otherFile' || this.guard.admitsForeign(claimed.id, token)) {
      note(found.outcome);
      return 'unknown';
    }
    note('tooMany');
    if (this.guard.isFirst(`foreign ${claimed.id} ${token}`)) await this.alarm(claimed, token, by);
    return 'tooMany';
  }

  /**
   * Finds the file that a device asks for. It counts as loaded only for a phone of the maker whose User-Agent names no
   * other MAC: a person who opens the address changes nothing. A phone asks for several names when it starts; most of
   * them cost no query.
   */
  private async find(
    { claimed, token, name }: Exclude<OpenedLoad, { grant: DownloadGrant }>,
    { userAgent }: Caller,
  ): Promise<Found> {
    if (!isFileName(name)) return { outcome: 'otherFile' };
    return inCompany(this.database, claimed.companyId, async (): Promise<Found> => {
      const one = await loadingDevice(claimed.id);
      if (!one) return { outcome: 'nothing' };
      if (!isTokenOf(this.addresses, one, token)) return { outcome: 'oldAddress' };
      this.guard.prove(one.id, token);
      const origin = this.origin.get();
      const folder = origin === null ? undefined : origin + addressFolder(token);
      return (await this.fileOf(one, name, userAgent, folder)) ?? { outcome: 'otherFile' };
    });
  }

  /** Returns the maker's file or its master, or for any device the text of the link, which has no maker. */
  private async fileOf(
    one: LoadingDevice,
    name: string,
    userAgent: string,
    folder: string | undefined,
  ): Promise<Found | undefined> {
    const vendor = vendorOf(one, userAgent);
    if (vendor?.master?.name === name) {
      const { text } = vendor.master;
      const file = { bytes: Buffer.from(text), contentType: vendor.contentType, etag: `"${markOf(text)}"` };
      return { one, file, isPhone: false };
    }
    const isPlain = name === plainFile(one.mac);
    if (!isPlain && !(vendor && isNameOf(vendor, name, one.mac))) return undefined;
    const { desired, text } = await this.contents.open(one.contentId, one.sealed);
    return isPlain
      ? {
          one,
          file: { bytes: Buffer.from(text), contentType: plain, etag: etagOf(one) },
          isPhone: agentNames(userAgent, one.mac),
        }
      : {
          one,
          file: {
            bytes: Buffer.from(renderFile(vendor!, desired, one.revision, folder)),
            contentType: vendor!.contentType,
            etag: etagOf(one, folder),
          },
          isPhone: isPhoneOf(vendor!, userAgent, one.mac),
        };
  }

  /** Returns the text that a command named, as it was then: the device checks it against the command's checksum. */
  private byCommand(grant: DownloadGrant): Promise<GrantedLoad | RefusedLoad> | RefusedLoad {
    const { companyId, deviceId, ownerEpoch, fileId, beginBy, until } = grant;
    const now = Date.now();
    if (now > beginBy || now > until) return 'unknown';
    return inCompany(this.database, companyId, async () => {
      const one = await loadingDevice(deviceId, fileId);
      if (one?.ownerEpoch !== ownerEpoch) return 'unknown';
      const { text } = await this.contents.open(one.contentId, one.sealed);
      return {
        file: { bytes: Buffer.from(text), contentType: plain, etag: `"${fileId}"` },
        ended: () => undefined,
      };
    });
  }

  /** Raises an alarm for a device whose current token is used for many foreign files, once an hour over all processes. */
  private async alarm(claimed: { companyId: string; id: string }, token: string, { address }: Caller): Promise<void> {
    const { companyId, id } = claimed;
    await inCompany(this.database, companyId, async () => {
      const one = await loadingDevice(id);
      if (!one || !isTokenOf(this.addresses, one, token)) return;
      if (!(await this.cache.add(`phones:foreign:${id}`, '1', hourMs))) return;
      const at = Date.now();
      const { mac, ownerEpoch } = one;
      const payload = { id: uuidv7(), at, kind: 'tamper' as const, detail: { reason: 'foreignFiles', address } };
      await emit(
        linkReport,
        'event',
        id,
        { deviceId: id, mac, ownerEpoch, epoch: 0, receivedAt: at, payload },
        { companyId },
      );
      log.warn({ deviceId: id, address }, 'a device’s token is used for many foreign file names; it is throttled');
    });
  }
}
