import { Injectable } from '@nestjs/common';
import type { getFcs, RouteReturn } from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { CompanyCopy, FcsSetting } from './fcs.entity.ts';

const own = columns(CompanyCopy, 'c', ['fcsEnabled', 'fcsLimit', 'fcsUsed', 'fcsUrl', 'fcsDomain']);
const on = columns(FcsSetting, 'f', [], { enabled: computed<boolean>(`(f.setting ->> 'enabled')::boolean`) });

/** Serves the company's FCS limits and servers (ACC-03). */
@Injectable()
export class FcsService {
  async get(): Promise<RouteReturn<typeof getFcs>> {
    const [copy] = await currentSql().rows(own, `select ${own} from company_copy c where c.id = $1`, [
      context().companyId,
    ]);
    const [setting] = await currentSql().rows(on, `select ${on} from fcs_setting f`);
    const servers = await currentEntities().findAll(SipServer, {
      where: { fcs: true, closed: false },
      fields: ['id', 'name', 'address', 'domain'],
      orderBy: { name: 'asc' },
    });
    return {
      enabled: copy?.fcsEnabled === true && setting?.enabled === true,
      limit: copy?.fcsLimit ?? 0,
      used: copy?.fcsUsed ?? 0,
      url: copy?.fcsUrl ?? '',
      domain: copy?.fcsDomain ?? '',
      servers: servers.map(({ id, name, address, domain }) => ({ id, name, address, domain })),
    };
  }
}
