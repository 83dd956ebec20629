import { emitAudit } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { noteSteps } from './custody.queries.ts';
import { endDevices, forgetDeleted, holdDevices } from './handover.ts';

/**
 * Ends the devices of companies that lost these MACs to a stronger proof, with a step of custody and an entry in the
 * operation log of each loser. Call inside of `platform()`.
 */
export async function endDisplaced(lost: readonly { mac: string; companyId: string }[]): Promise<void> {
  const lostMacs = lost.map((l) => l.mac);
  await forgetDeleted(lostMacs, { reset: true });
  await endDevices(await holdDevices(lostMacs), { reset: true, step: 'lost' });
  for (const [loser, taken] of Map.groupBy(lost, (l) => l.companyId)) {
    const theirs = taken.map((l) => l.mac);
    await noteSteps(loser, theirs, 'lost', null);
    await runAs(systemContext(loser), () =>
      emitAudit('channelOrder.lost', 'success', {
        detail: { count: theirs.length, devices: theirs.slice(0, 100).map((mac) => ({ mac })) },
      }),
    );
  }
}
