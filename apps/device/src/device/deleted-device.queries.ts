import { columns, currentDatabase, currentSql, platform } from '@carillon/persistence';
import { fail, freshSql } from '@carillon/service';
import { DeletedDevice } from './device.entity.ts';

const owned = columns(DeletedDevice, 'device_deleted', ['id', 'companyId', 'mac']);

/**
 * Frees MACs for new devices. Adding a device of the own company again gives up restoring the deleted one. Fails for
 * another company while it can still restore its device, which would find its MAC taken.
 */
export async function freeMacs(companyId: string, macs: readonly string[]): Promise<void> {
  if ((await macsKept(companyId, macs)).size > 0) fail('device.macTaken');
}

/** Returns those of the MACs that another company can still restore. Gives up restoring those of the own company. */
export function macsKept(companyId: string, macs: readonly string[]): Promise<ReadonlySet<string>> {
  return platform(
    currentDatabase(),
    'a MAC has one owner in the whole installation, also while its deletion can be taken back',
    async () => {
      const rows = await currentSql().rows(
        owned,
        `select ${owned} from device_deleted where mac = any($1::text[]) and ${freshSql}`,
        [macs],
      );
      const own = rows.filter((r) => r.companyId === companyId).map((r) => r.id);
      if (own.length > 0) await currentSql().query('delete from device_deleted where id = any($1::uuid[])', [own]);
      return new Set(rows.filter((r) => r.companyId !== companyId).map((r) => r.mac));
    },
  );
}

/** Moves deleted devices along with their organization, so that they are restored in the other one. */
export async function moveDeleted(fromId: string, toId: string): Promise<void> {
  await currentSql().query(
    `
      update device_deleted
      set org_id = $2::uuid, row = row || jsonb_build_object('org_id', $2::uuid)
      where org_id = $1
    `,
    [fromId, toId],
  );
}
