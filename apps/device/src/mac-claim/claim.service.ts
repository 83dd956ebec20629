import { Inject, Injectable } from '@nestjs/common';
import type { AuditWord } from '@carillon/contracts';
import {
  currentDatabase,
  currentSql,
  Database,
  holdLock,
  platform,
  sessionOf,
  transaction,
} from '@carillon/persistence';
import {
  auditedTransaction,
  auditNote,
  CACHE,
  CONFIG,
  fail,
  Failure,
  type AuditNote,
  type Cache,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import { noteDisputes } from '../channel-order/channel-order.stock.ts';
import { noteSteps } from '../channel-order/custody.queries.ts';
import { endDisplaced } from '../channel-order/displaced.ts';
import type { DeviceConfig } from '../config.ts';
import { claimMacs, displace, holdMacs } from '../mac-owner/mac-owner.queries.ts';
import { ClaimCodes } from './claim-code.ts';
import { checkClaimLock, countWrongClaim } from './claim-limit.ts';

/** What is printed on the label of a device. */
interface Label {
  mac: string;
  sn: string;
  claimCode: string;
}
/** Claims the MAC of a label, for a device of the model. */
export type Claim = (label: Label, model: string) => Promise<void>;

/** Claims MACs for the company that has the label of the device (docs/adr/0047). */
@Injectable()
export class ClaimService {
  private readonly codes: ClaimCodes;

  constructor(
    private readonly database: Database,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) config: DeviceConfig,
  ) {
    this.codes = new ClaimCodes(config.dataKey);
  }

  /**
   * Runs a change that may claim a MAC as one transaction, with its entry in the operation log. Records a dispute when
   * the code was correct and the change failed with `device.macTaken`, unless the MAC is the company's own.
   */
  async change<T>(action: AuditWord, run: (claim: Claim) => Promise<T>): Promise<T> {
    const note: AuditNote = {};
    let proved: { mac: string; model: string } | undefined;
    const claim: Claim = (label, model) =>
      this.claim(label, () => {
        proved = { mac: label.mac, model };
      });
    try {
      return await auditedTransaction(this.database, action, note, () => run(claim));
    } catch (error) {
      // A refusal is logged as well.
      auditNote(note);
      if (proved && error instanceof Failure && error.key === 'device.macTaken') await this.dispute(proved);
      throw error;
    }
  }

  /**
   * Claims the MAC in the running transaction. An unknown MAC, a wrong serial number, and a wrong or used code get the
   * same answer and are counted. Throws `device.macTaken` when another company has an order or had its device online.
   */
  private async claim(label: Label, onProved: () => void): Promise<void> {
    const { companyId } = context();
    const { mac } = label;
    await holdClaims(mac);
    await checkClaimLock(this.cache, mac);
    const isProved = await platform(currentDatabase(), 'a label with its code outranks a typed MAC', async () => {
      // An owner is locked before the code of its MAC, and this before the dispute, as everywhere.
      await holdMacs([mac]);
      if (!(await this.use(label, companyId))) return false;
      await endDisplaced(await displace(companyId, [mac], 'claim'));
      return true;
    });
    if (!isProved) {
      await countWrongClaim(this.cache, mac);
      fail('device.claimRefused');
    }
    onProved();
    if (!(await claimMacs(companyId, [mac], 'claim')).has(mac)) fail('device.macTaken');
    await currentSql().query('delete from mac_dispute where mac = $1', [mac]);
    await noteSteps(companyId, [mac], 'claimed', null);
  }

  private dispute(wanted: { mac: string; model: string }): Promise<void> {
    return transaction(this.database, sessionOf(context()), async () => {
      const own = await currentSql().query('select 1 from mac_owner where mac = $1', [wanted.mac]);
      if (own.rowCount === 0) await noteDisputes([wanted], 'claim');
    });
  }

  /** Uses up the code of a label. Returns false when the label is wrong or its code was used. */
  private async use({ mac, sn, claimCode }: Label, companyId: string): Promise<boolean> {
    const { rowCount } = await currentSql().query(
      `
        update delivered_device d
        set claimed_at = now(), claimed_by = $4
        where d.mac = $1 and lower(d.sn) = lower($2) and d.code_hash = $3 and d.claimed_at is null
      `,
      [mac, sn, this.codes.bind(mac, this.codes.hash(claimCode)), companyId],
    );
    return rowCount > 0;
  }
}

/**
 * Serializes the claims of the running company, of the user and of a MAC, until the transaction ends, so that parallel
 * guesses do not pass their limits. A user may act in several companies at the same time. A change that locks more than
 * the claim calls it before: these locks are the first ones everywhere.
 */
export async function holdClaims(mac: string): Promise<void> {
  const { companyId, userId } = context();
  for (const key of [companyId, userId ?? '', mac]) await holdLock(`claims ${key}`);
}
