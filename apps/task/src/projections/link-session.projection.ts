import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { linkGateway, linkSession, type Message } from '@carillon/contracts';
import { afterCommit, columns, currentDatabase, currentSql, instant, platform, tenant } from '@carillon/persistence';
import { On } from '@carillon/messaging';
import { deadGatewaySql, shareGatewayLock, storeGateway } from '@carillon/service';
import { DispatchService } from '../dispatch/dispatch.service.ts';

/** Devices that are connected now: read from the link itself, not from another service's copy. */
export const LinkSession = defineEntity({
  name: 'LinkSession',
  tableName: 'link_session',
  indexes: [
    {
      name: 'link_session_gateway',
      expression: 'create index link_session_gateway on link_session (gateway) where online',
    },
  ],
  properties: {
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    epoch: p.bigint('number'),
    online: p.boolean(),
    gateway: p.string().length(128),
    at: instant(),
  },
  ...tenant(),
});

const changed = columns(LinkSession, 's', ['deviceId', 'companyId', 'online']);

@Controller()
export class LinkSessionProjection {
  constructor(private readonly dispatch: DispatchService) {}

  @On(linkSession, ['online', 'offline'])
  async session(messages: Message<typeof linkSession>[]): Promise<void> {
    const last = new Map<
      string,
      { deviceId: string; companyId: string | null; epoch: number; online: boolean; gateway: string; at: number }
    >();
    for (const { type, data, companyId } of messages) {
      if (!data || (last.get(data.deviceId)?.epoch ?? 0) > data.epoch) continue;
      last.set(data.deviceId, {
        deviceId: data.deviceId,
        companyId,
        epoch: data.epoch,
        online: type === 'online',
        gateway: data.gateway,
        at: data.at,
      });
    }
    await shareGatewayLock();
    const rows = await currentSql().rows(
      changed,
      `
        insert into link_session as s (device_id, company_id, epoch, online, gateway, at)
        select "deviceId", "companyId", epoch, online and not ${deadGatewaySql('x.gateway', 'x.at')}, gateway,
          to_timestamp(at / 1000.0)
        from jsonb_to_recordset($1::jsonb) as x(
          "deviceId" uuid, "companyId" uuid, epoch bigint, online boolean, gateway text, at float8
        )
        on conflict (device_id) do update set company_id = excluded.company_id, epoch = excluded.epoch,
          online = excluded.online, gateway = excluded.gateway, at = excluded.at
        where excluded.epoch > s.epoch or (excluded.epoch = s.epoch and s.online and not excluded.online)
        returning ${changed}
      `,
      [JSON.stringify([...last.values()])],
    );
    const back = rows.filter((r) => r.online);
    if (back.length > 0)
      afterCommit(() =>
        this.dispatch.resumeDevices(
          back[0]!.companyId,
          back.map((r) => r.deviceId),
        ),
      );
  }

  @On(linkGateway, ['started', 'gone'])
  async gateway(messages: Message<typeof linkGateway>[]): Promise<void> {
    for (const { type, data } of messages) {
      if (!data) continue;
      await storeGateway(type, data);
      await platform(currentDatabase(), 'a gateway process died with the sessions of several companies', () =>
        currentSql().query(
          `
            update link_session
            set online = false, at = greatest(at, to_timestamp($3 / 1000.0))
            where online
              and
                ${type === 'started' ? `gateway like $1 || '#%' and gateway <> $2` : '$1::text is not null and gateway = $2'}
          `,
          [data.name, data.gateway, data.at],
        ),
      );
    }
  }
}
