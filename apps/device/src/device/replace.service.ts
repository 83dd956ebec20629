import { Inject, Injectable } from '@nestjs/common';
import type { replaceDevice, RouteInput } from '@carillon/contracts';
import { columns, currentDatabase, currentSql, platform, type RowOf } from '@carillon/persistence';
import { auditNote, CACHE, CONFIG, countingTaken, emitLive, fail, found, type Cache } from '@carillon/service';
import type { DeviceConfig } from '../config.ts';
import { noteReplacement } from '../device-log/device-log.queries.ts';
import { ClaimService, holdClaims, type Claim } from '../mac-claim/claim.service.ts';
import { holdMacs } from '../mac-owner/mac-owner.queries.ts';
import { connectOf } from './connect.ts';
import { DeletionService } from './deletion.service.ts';
import { deviceRecord } from './device-list.queries.ts';
import { Device } from './device.entity.ts';
import { hashOf, insertDevices, newSecret } from './device.service.ts';

const broken = columns(Device, 'd', [
  'id',
  'companyId',
  'orgId',
  'mac',
  'name',
  'model',
  'siteId',
  'serverId',
  'accounts',
  'groupIds',
  'tags',
  'configVersion',
]);
const named = columns(Device, 'd', ['mac']);
type Broken = RowOf<typeof broken>;
type Body = RouteInput<typeof replaceDevice>['body'];

const isUniqueViolation = (error: unknown): boolean => (error as { code?: string }).code === '23505';

/** Returns the device, locked. The owners of both MACs are locked before: another company may want this device's MAC. */
async function hold(id: string, by: string): Promise<Broken> {
  const seen = found((await currentSql().rows(named, `select ${named} from device d where d.id = $1`, [id]))[0]);
  await platform(currentDatabase(), 'who owns a MAC is held while it changes hands', () => holdMacs([seen.mac, by]));
  const sql = `select ${broken} from device d where d.id = $1 for update`;
  return found((await currentSql().rows(broken, sql, [id]))[0]);
}

/** Replaces a broken device by one with another MAC, as one change (DEV-13). */
@Injectable()
export class DeviceReplaceService {
  constructor(
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: DeviceConfig,
    private readonly deletions: DeletionService,
    private readonly claims: ClaimService,
  ) {}

  replace(id: string, body: Body) {
    return this.claims.change('device.replace', (claim) => this.replaced(id, body, claim));
  }

  private async replaced(id: string, { claimCode, ...body }: Body, claim: Claim) {
    if (claimCode !== undefined) await holdClaims(body.mac);
    const old = await hold(id, body.mac);
    // A refusal is logged as well.
    const detail = { mac: old.mac, by: body.mac, ...(claimCode === undefined ? {} : { proof: 'claim' }) };
    auditNote({ objectId: id, objectName: old.name, orgIds: [old.orgId], detail });
    if ((await currentSql().query('select 1 as one from device where mac = $1', [body.mac])).rowCount > 0)
      fail('device.macTaken');
    return countingTaken(this.cache, ['device.macTaken'], async () => {
      if (claimCode !== undefined) await claim({ ...body, claimCode }, old.model);
      return this.put(old, body, detail);
    });
  }

  private async put(
    { id: oldId, companyId, mac: oldMac, ...taken }: Broken,
    { mac, sn }: Omit<Body, 'claimCode'>,
    detail: Record<string, string>,
  ) {
    const secret = newSecret();
    try {
      const [view] = await insertDevices(companyId, [{ ...taken, mac, sn, secretHash: hashOf(secret) }]);
      await this.deletions.remove([oldId], true);
      // The old device cannot be restored, because its place is taken.
      await currentSql().query('delete from device_deleted where id = $1', [oldId]);
      const { orgId, name } = taken;
      await noteReplacement({ companyId, orgId }, { id: oldId, mac: oldMac }, { id: view!.id, mac });
      auditNote({ objectId: view!.id, objectName: name, orgIds: [orgId], detail });
      await emitLive(companyId, 'device', [oldId, view!.id], [orgId]);
      const sql = `select ${deviceRecord} from device d where d.id = $1`;
      return {
        device: found((await currentSql().rows(deviceRecord, sql, [view!.id]))[0]),
        secret,
        connect: connectOf(this.config.deviceAddress, mac, secret),
      };
    } catch (error) {
      if (isUniqueViolation(error)) fail('device.macTaken');
      throw error;
    }
  }
}
