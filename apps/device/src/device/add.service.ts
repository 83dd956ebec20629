import { Inject, Injectable } from '@nestjs/common';
import type { addDevice, RouteInput } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { auditNote, CACHE, CONFIG, countingTaken, emitLive, fail, found, type Cache } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { DeviceConfig } from '../config.ts';
import { alsoWith } from '../line/line.queries.ts';
import { ClaimService, type Claim } from '../mac-claim/claim.service.ts';
import { organizationFor } from '../organization/organization.queries.ts';
import { connectOf } from './connect.ts';
import { settleFacts } from './device-facts.ts';
import { deviceRecord } from './device-list.queries.ts';
import { hashOf, insertDevices, newSecret, type NewDevice } from './device.service.ts';

type Body = RouteInput<typeof addDevice>['body'];
type AddedFacts = Omit<Body, 'claimCode'> & Pick<NewDevice, 'accounts'>;

const byIdSql = `select ${deviceRecord} from device d where d.id = $1`;
const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505';

/** Adds a device with its data, its place and the accounts of its lines (DEV-02). */
@Injectable()
export class DeviceAddService {
  constructor(
    private readonly claims: ClaimService,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: DeviceConfig,
  ) {}

  add(input: Body) {
    return this.claims.change('device.add', (claim) => this.added(input, claim));
  }

  private async added({ claimCode, ...input }: Body, claim: Claim) {
    const orgId = await organizationFor(input.orgId);
    const proof = claimCode === undefined ? {} : { proof: 'claim' };
    auditNote({ objectName: input.name, orgIds: [orgId], detail: { mac: input.mac, ...proof } });
    // Own visible devices are reported openly; others are counted as probes.
    if ((await currentSql().query('select 1 as one from device where mac = $1', [input.mac])).rowCount > 0)
      fail('device.macTaken');
    const facts = { ...input, ...(await settleFacts(input)) };
    return countingTaken(this.cache, ['device.macTaken'], async () => {
      if (claimCode !== undefined) await claim({ ...input, claimCode }, input.model);
      return this.insert(facts, orgId, proof);
    });
  }

  private async insert({ accounts = [], ...input }: AddedFacts, orgId: string, proof: object) {
    const who = context();
    const secret = newSecret();
    try {
      const [view] = await insertDevices(who.companyId, [{ ...input, accounts, orgId, secretHash: hashOf(secret) }]);
      auditNote({
        objectId: view!.id,
        objectName: input.name,
        orgIds: [orgId],
        detail: { mac: input.mac, model: input.model, sn: input.sn, ...proof },
      });
      await emitLive(who.companyId, 'device', [view!.id], [orgId]);
      return {
        device: found((await currentSql().rows(deviceRecord, byIdSql, [view!.id]))[0]),
        secret,
        connect: connectOf(this.config.deviceAddress, input.mac, secret),
        also: await alsoWith(view!.id, accounts),
      };
    } catch (error) {
      if (isUniqueViolation(error)) fail('device.macTaken');
      throw error;
    }
  }
}
