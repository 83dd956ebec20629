import { namedBy } from '@carillon/actions';
import type { TaskNaming } from '@carillon/contracts';
import { columns, computed, currentSql, parameters } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { targetSql, type TaskTarget } from '../dispatch/target.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';

const counted = columns(DeviceCopy, 'd', [], { devices: computed<number>('count(*)::int') });

/** Returns what the product's own name of an order is built from: its only named device, or how many it has now. */
export async function namingOf(target: TaskTarget, device: { name: string } | undefined): Promise<TaskNaming> {
  if (device) return { code: 'device', device: device.name, restored: [] };
  if ('ids' in target) return { code: 'devices', count: target.ids.length, restored: [] };
  const { values, add } = parameters();
  const [found] = await currentSql().rows(counted, `select ${counted} from (${targetSql(target, add)}) d`, values);
  return { code: 'devices', count: found!.devices, restored: [] };
}

/** Returns how an order is stored that a user named, or that the product names in the caller's language. */
export const storedName = (
  named: string | TaskNaming,
  order: { action: string; params: Record<string, unknown> },
): { name: string; naming: TaskNaming | null } =>
  typeof named === 'string'
    ? { name: named, naming: null }
    : { name: namedBy(named, order, context().language), naming: named };
