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
import { FirstLoads, type OpenedFirst } from '../first-access/first-loads.service.ts';
import { isFileName } from '../vendor/file-name.ts';
import { phoneFolder, addressKey, claimedBy, isTokenOf } from './config-address.ts';
import { ConfigContents } from './config-content.ts';
import {
  ConfigFiles,
  plain,
  refusalOf,
  type Caller,
  type FoundFile,
  type GrantedLoad,
  type RefusedLoad,
} from './config-file.ts';
import { deviceWithContent, isDevice, loadingDevice } from './device-config.queries.ts';
import { LoadNotes } from './load-notes.ts';
import { LoadingDevices, type ReadLoad } from './loading-devices.ts';
import { contactOf } from '../phone-session/contact.ts';

const log = createLogger('config-loads');
const hourMs = 3_600_000;

/** A request whose token was made here. Nothing was read for it yet. */
type OpenedLoad =
  | { grant: DownloadGrant }
  | { first: OpenedFirst }
  | { claimed: { companyId: string; id: string }; token: string; name: string };

type Found = { outcome: ConfigOutcome } | FoundFile;

/** Gives devices their configurations over HTTP (EDGE-01, EDGE-02). A device has no session: its token identifies it. */
@Injectable()
export class ConfigLoads {
  private readonly addresses: Buffer;
  private readonly downloads: Buffer;

  constructor(
    private readonly database: Database,
    private readonly devices: LoadingDevices,
    private readonly contents: ConfigContents,
    private readonly files: ConfigFiles,
    private readonly firsts: FirstLoads,
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
  open(token: string | null, file: string, by: Caller): OpenedLoad | RefusedLoad {
    const first = this.firsts.open(token, file, by);
    if (first !== undefined) return typeof first === 'string' ? first : { first };
    if (token === null) return 'unknown';
    const grant = readDownloadToken(this.downloads, token);
    if (grant) return this.guard.admitsCommand(grant.commandId) ? { grant } : 'tooMany';
    const claimed = claimedBy(this.addresses, token);
    if (!claimed) return this.guard.admitsForged(by.address) ? 'unknown' : 'tooMany';
    const name = file.toLowerCase();
    const opened = { claimed, token, name };
    if (this.guard.admits(claimed.id, token, by.address, 'file')) return opened;
    this.noteBusy(opened, by);
    return 'tooMany';
  }

  /** Records for the device that an opened request is refused because there are too many. */
  noteBusy(opened: OpenedLoad, by: Caller): void {
    if ('claimed' in opened)
      this.requests.note({ deviceId: opened.claimed.id, file: opened.name, outcome: 'tooMany', ...by });
    else if ('first' in opened && 'phone' in opened.first) this.firsts.noteBusy(opened.first.phone, by);
  }

  /** Finds the file of an opened request. A refusal is recorded for the device. */
  async load(opened: OpenedLoad, by: Caller): Promise<GrantedLoad | RefusedLoad> {
    if ('grant' in opened) return this.byCommand(opened.grant);
    if ('first' in opened) return this.firsts.load(opened.first, by);
    const { claimed, token, name } = opened;
    const found = await this.find(opened, by);
    const note = (outcome: ConfigOutcome): void =>
      this.requests.note({ deviceId: claimed.id, file: name, outcome, ...by });
    if ('file' in found)
      return {
        file: found.file,
        ended: (outcome) => {
          note(outcome);
          if (found.isPhone && outcome !== 'partial') this.notes.note(found.one, contactOf(found, by));
        },
      };
    if (found.outcome !== 'otherFile' || this.guard.admitsForeign(claimed.id, token)) {
      note(found.outcome);
      return found.outcome === 'oldAddress' ? this.beginAgain(name, by) : 'unknown';
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
    { claimed, token, name }: Extract<OpenedLoad, { claimed: object }>,
    { userAgent, address, host, certificateMac }: Caller,
  ): Promise<Found> {
    if (!isFileName(name)) return { outcome: 'otherFile' };
    return this.devices.read(claimed.companyId, claimed.id, async (one): Promise<ReadLoad<Found>> => {
      if (!one) return { answer: { outcome: (await isDevice(claimed.id)) ? 'nothing' : 'oldAddress' } };
      if (!isTokenOf(this.addresses, one, token)) return { answer: { outcome: 'oldAddress' } };
      const wrong = refusalOf(one, certificateMac);
      if (wrong) return { answer: { outcome: wrong } };
      this.guard.prove(one.id, token);
      const found = await this.files.load(one, name, userAgent, this.origin.folder(phoneFolder(token), host));
      if (!found) return { answer: { outcome: 'otherFile' } };
      return { answer: found, ...(found.isPhone && !one.firstEnded ? { firstEndedFrom: address } : {}) };
    });
  }

  /** A phone whose address has ended gets that of a first access: nobody has to type anything into it. */
  private beginAgain(name: string, by: Caller): Promise<GrantedLoad | RefusedLoad> | RefusedLoad {
    const first = this.firsts.open(null, name, by) ?? 'unknown';
    return typeof first === 'string' ? first : this.firsts.load(first, by);
  }

  /** Returns the text that a command named, as it was then: the device checks it against the command's checksum. */
  private byCommand(grant: DownloadGrant): Promise<GrantedLoad | RefusedLoad> | RefusedLoad {
    const { companyId, deviceId, ownerEpoch, fileId, beginBy, until } = grant;
    const now = Date.now();
    if (now > beginBy || now > until) return 'unknown';
    return inCompany(this.database, companyId, async () => {
      const one = await deviceWithContent(deviceId, fileId);
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
