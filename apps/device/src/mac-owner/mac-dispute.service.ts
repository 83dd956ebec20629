import { Injectable } from '@nestjs/common';
import type { listMacDisputes, RouteInput, RouteReturn, settleMac } from '@carillon/contracts';
import { columns, computed, currentDatabase, currentSql, iso, platform } from '@carillon/persistence';
import { auditNote, emitAudit, emitLive, fail } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { companyName } from '../channel-order/channel-order.queries.ts';
import { noteSteps } from '../channel-order/custody.queries.ts';
import { endDevices, forgetDeleted, holdDevices } from '../channel-order/handover.ts';
import { holdCode, useDisputedCode } from '../mac-claim/delivery.queries.ts';
import { MacDispute, MacOwner } from './mac-owner.entity.ts';
import { claimMacs, holdMacs, passMacs } from './mac-owner.queries.ts';

type Dispute = RouteReturn<typeof listMacDisputes>[number];
const shown = 200;
const nameSql = (company: string): string =>
  `coalesce((select c.name from channel_copy c where c.id = ${company}), '')`;
const claim = columns(MacDispute, 'm', ['mac', 'model', 'proof', 'at'], {
  id: computed<string>('m.company_id'),
  name: computed<string>(nameSql('m.company_id')),
});
const holder = columns(MacOwner, 'o', ['mac'], {
  id: computed<string>('o.company_id'),
  name: computed<string>(nameSql('o.company_id')),
  since: computed<string>('o.since', iso),
  connected: computed<boolean>(
    'exists (select from device d where d.mac = o.mac and (d.online or d.last_online_at is not null))',
  ),
});

/** Lets the super administrator decide across companies who owns a MAC that two companies want. */
@Injectable()
export class MacDisputeService {
  list(): Promise<Dispute[]> {
    return platform(currentDatabase(), 'the super administrator looks at MACs in dispute', async () => {
      const claims = await currentSql().rows(
        claim,
        `select ${claim} from mac_dispute m order by m.at desc, m.id limit ${shown}`,
      );
      const macs = [...new Set(claims.map((c) => c.mac))];
      const holders = new Map(
        (
          await currentSql().rows(holder, `select ${holder} from mac_owner o where o.mac = any ($1::text[])`, [macs])
        ).map(({ mac, ...dispute }) => [mac, dispute]),
      );
      return macs.map((mac) => ({
        mac,
        holder: holders.get(mac) ?? null,
        claims: claims.filter((c) => c.mac === mac).map(({ mac: _, ...claim }) => claim),
      }));
    });
  }

  async settle({ mac, companyId }: RouteInput<typeof settleMac>['body']): Promise<void> {
    const name = await platform(currentDatabase(), 'the super administrator settles whose a MAC is', async () => {
      const [owner] = await holdMacs([mac]);
      await holdCode(mac);
      const claims = await currentSql().rows(
        claim,
        `select ${claim} from mac_dispute m where m.mac = $1 order by m.at for update`,
        [mac],
      );
      if (claims.length === 0) fail('common.notFound');
      const winner = claims.find((c) => c.id === companyId);
      if (!winner && owner?.companyId !== companyId) fail('common.notFound');
      if (winner && owner?.companyId !== companyId) {
        await useDisputedCode(mac, companyId);
        await this.give(mac, winner, owner?.companyId);
      }
      await currentSql().query('delete from mac_dispute where mac = $1', [mac]);
      return companyName(companyId);
    });
    auditNote({ objectId: companyId, objectName: name, detail: { mac } });
  }

  private async give(mac: string, to: { id: string; model: string }, from: string | undefined): Promise<void> {
    await forgetDeleted([mac], { reset: true });
    await endDevices(await holdDevices([mac]), { reset: true, step: 'lost' });
    if (from !== undefined) {
      const { rows } = await currentSql().query<{ id: string }>(
        `
          delete from channel_order o
          where o.mac = $1 and o.company_id is not distinct from $2::uuid
          returning o.id
        `,
        [mac, from],
      );
      await noteSteps(from, [mac], 'lost', null);
      await this.logFor(from, 'channelOrder.lost', mac, rows);
      await passMacs([mac], to.id);
    } else await claimMacs(to.id, [mac], 'order');
    const { rows } = await currentSql().query<{ id: string }>(
      `
        insert into channel_order (
          id, company_id, mac, model, order_name, source, from_name, status, in_at, assigned_at, receiver_id, receiver,
          device_id
        )
        values (gen_random_uuid(), $1, $2, $3, '', 'import', null, 'unassigned', now(), null, null, null, null)
        on conflict (company_id, mac) do nothing
        returning id
      `,
      [to.id, mac, to.model],
    );
    await noteSteps(to.id, [mac], 'in', null);
    await this.logFor(to.id, 'channelOrder.settled', mac, rows);
  }

  private async logFor(companyId: string, action: string, mac: string, rows: readonly { id: string }[]): Promise<void> {
    await runAs(systemContext(companyId), () =>
      emitAudit(action, 'success', { detail: { count: 1, devices: [{ mac }] } }),
    );
    await emitLive(
      companyId,
      'channelOrder',
      rows.map((row) => row.id),
      null,
    );
  }
}
