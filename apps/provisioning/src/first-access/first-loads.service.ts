import { Inject, Injectable } from '@nestjs/common';
import type { ConfigOutcome } from '@carillon/contracts';
import { Database, inCompany, platform } from '@carillon/persistence';
import { CONFIG, networkOf } from '@carillon/service';
import { ConfigRequestLog } from '../config-request/config-request.log.ts';
import { holdersOf } from '../config-request/mac-holder.ts';
import type { ProvisioningConfig } from '../config.ts';
import { phoneFolder, addressKey, addressToken } from '../device-config/config-address.ts';
import type { ConfigFile } from '../device-config/config-answer.ts';
import {
  ConfigFiles,
  masterFile,
  refusalOf,
  type Caller,
  type GrantedLoad,
  type RefusedLoad,
} from '../device-config/config-file.ts';
import { loadingDevice } from '../device-config/device-config.queries.ts';
import { LoadNotes } from '../device-config/load-notes.ts';
import { PhoneGuard } from '../phone-port/phone-guard.ts';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { makerOf, phoneAsking, type AskingPhone } from '../vendor/asking-phone.ts';
import { isLetIn, storeAsk } from './first-access.queries.ts';
import { firstToken, isFirstShape, isFirstToken } from './first-token.ts';
import { UnclaimedPhones } from './unclaimed-phone.service.ts';

/** A request of a phone that has no address of its own: for its file, or for that which names it. Nothing was read yet. */
export type OpenedFirst =
  | {
      phone: AskingPhone;
      /** Whether it comes with the token that it got when it asked without one. */
      hasToken: boolean;
    }
  | { master: ConfigFile };

/** Answers phones that know only the server's address and their MAC (EDGE-02, DEV-10). */
@Injectable()
export class FirstLoads {
  private readonly key: Buffer;

  constructor(
    private readonly database: Database,
    private readonly files: ConfigFiles,
    private readonly requests: ConfigRequestLog,
    private readonly notes: LoadNotes,
    private readonly unclaimed: UnclaimedPhones,
    private readonly guard: PhoneGuard,
    private readonly origin: PhoneOrigin,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
  ) {
    this.key = addressKey(dataKey);
  }

  /**
   * Checks a request without a device's token; undefined when its token is none of a first access. Costs no query.
   * Records a refusal by the limit for the device that has the MAC.
   */
  open(token: string | null, file: string, by: Caller): OpenedFirst | RefusedLoad | undefined {
    if (token !== null && !isFirstShape(token)) return undefined;
    const name = file.toLowerCase();
    const phone = phoneAsking(name, by.userAgent);
    const maker = makerOf(by.userAgent);
    const master = phone || !maker ? undefined : masterFile(maker, name);
    // Names that phones also try, and what is no phone: they learn nothing and cost nothing.
    if (!phone && !master) return 'unknown';
    if (!this.guard.admitsFirst(by.address)) {
      if (phone) this.noteBusy(phone, by);
      return 'tooMany';
    }
    if (!phone) return { master: master! };
    return { phone, hasToken: token !== null && isFirstToken(this.key, token, phone.mac, by.address) };
  }

  /** Records for the device that has the MAC that a request is refused because there are too many. */
  noteBusy({ mac, file }: AskingPhone, by: Caller): void {
    this.requests.note({ mac, file, outcome: 'tooMany', ...by });
  }

  /**
   * Answers an opened request. Without its token a phone gets the address with one and nothing else, whatever its MAC.
   * So does one whose token is too old or from another network: it must not be left with an address that never opens.
   */
  async load(opened: OpenedFirst, by: Caller): Promise<GrantedLoad | RefusedLoad> {
    if ('master' in opened) return { file: opened.master, ended: () => undefined };
    const { phone, hasToken } = opened;
    if (!hasToken) {
      const file = this.addressFile(phone, by);
      const asked = { mac: phone.mac, file: phone.file, outcome: 'firstAddress' as const, ...by };
      return file ? { file, ended: () => this.requests.note(asked) } : 'unknown';
    }
    const { mac, vendor } = phone;
    const holders = await platform(this.database, 'a phone asks by its MAC, whose company is not known yet', () =>
      holdersOf([mac]),
    );
    const holder = holders.get(mac);
    if (holder) return this.loadOf(holder, phone, by);
    if (!this.guard.admitsStranger(by.address)) return 'tooMany';
    await this.unclaimed.note({ mac, maker: vendor.name, ...textsOf(by) });
    return 'unknown';
  }

  private async loadOf(
    holder: { id: string; companyId: string },
    phone: AskingPhone,
    by: Caller,
  ): Promise<GrantedLoad | RefusedLoad> {
    const note = (outcome: ConfigOutcome): void =>
      this.requests.note({ deviceId: holder.id, file: phone.file, outcome, ...by });
    const found = await inCompany(this.database, holder.companyId, () => this.find(holder, phone, by));
    if (typeof found === 'string') {
      note(found);
      return found === 'tooMany' ? 'tooMany' : 'unknown';
    }
    return {
      file: found.file,
      ended: (outcome) => {
        note(outcome);
        // Its session begins with its own address, whose token only it has.
        if (outcome !== 'partial') this.notes.note(found.one, undefined);
      },
    };
  }

  private async find({ id, companyId }: { id: string; companyId: string }, phone: AskingPhone, by: Caller) {
    const network = networkOf(by.address);
    const isPhone = by.certificateMac === phone.mac;
    if (!isPhone && (by.certificateMac !== undefined || !(await isLetIn(id, network)))) {
      // Counted before anything is stored.
      if (!this.guard.admitsStranger(by.address)) return 'tooMany';
      if (by.certificateMac !== undefined) return 'otherDevice';
      await storeAsk({ id, companyId }, network, textsOf(by));
      return 'waiting';
    }
    const one = await loadingDevice(id);
    if (!one) return 'nothing';
    const wrong = refusalOf(one, by.certificateMac);
    if (wrong) return wrong;
    const token = addressToken(this.key, one);
    const found = await this.files.load(one, phone.file, by.userAgent, this.origin.folder(phoneFolder(token), by.host));
    // The maker of its model is another one: another phone has its MAC.
    return found?.isPhone === true ? found : 'otherFile';
  }

  /** Returns a file that only makes the phone ask in the folder of its first access; undefined without an origin. */
  private addressFile({ mac, vendor }: AskingPhone, by: Caller): ConfigFile | undefined {
    const token = firstToken(this.key, mac, by.address);
    const folder = this.origin.folder(phoneFolder(token), by.host);
    if (folder === undefined) return undefined;
    const bytes = Buffer.from(vendor.write(vendor.addressOf(new URL(folder)), 0));
    return { bytes, contentType: vendor.contentType, etag: `"${token}"` };
  }
}

/** PostgreSQL has no NUL in texts, and one half of a pair is no text. */
const textsOf = ({ userAgent, address }: Caller) => ({
  userAgent: userAgent.slice(0, 256).toWellFormed().replaceAll('\0', ''),
  address: address.slice(0, 45),
});
