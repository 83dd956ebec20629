import { Injectable } from '@nestjs/common';
import {
  licenseApp,
  type addExternalApp,
  type editExternalApp,
  type ExternalApp,
  type RouteInput,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { currentSql, iso, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, failAt, found } from '@carillon/service';

interface Row {
  id: string;
  name: string;
  address: string;
  icon: string;
  roles: string[] | null;
  version: number;
  updatedAt: string;
}
const columns = 'id, name, address, icon, role_ids as roles, version, updated_at as "updatedAt"';

/** The hosts that the operator allows, as they stand in an address. */
async function allowedHosts(): Promise<Set<string>> {
  return new Set(
    (await currentSql().query<{ value: string[] }>(`select value from sys_config where key = 'frameHosts'`)).rows[0]
      ?.value ?? [],
  );
}

/** External apps of the operator's company: none of a host that he does not allow is in a menu (SYS-10). */
@Injectable()
export class ExternalAppService {
  async list(): Promise<ExternalApp[]> {
    const hosts = await allowedHosts();
    return (await currentSql().query<Row>(`select ${columns} from external_app order by lower(name), id`)).rows.map(
      (row) => shown(row, hosts),
    );
  }

  async add(body: RouteInput<typeof addExternalApp>['body']): Promise<ExternalApp> {
    await checkHost(body.address);
    const id = uuidv7();
    await currentSql().query(
      `
        insert into external_app (id, company_id, name, address, icon, role_ids, version, updated_at)
        values ($1, $2, $3, $4, $5, $6, 1, now())
      `,
      [id, context().companyId, body.name, body.address, body.icon, body.roles],
    );
    auditNote({ objectId: id, objectName: body.name, detail: { before: null, after: body } });
    return this.tell(id);
  }

  async edit({ id, ...body }: RouteInput<typeof editExternalApp>['body']): Promise<ExternalApp> {
    const before = found(
      (await currentSql().query<Row>(`select ${columns} from external_app where id = $1 for update`, [id])).rows[0],
    );
    await checkHost(body.address);
    await currentSql().query(
      `
        update external_app
        set name = $2, address = $3, icon = $4, role_ids = $5, version = version + 1, updated_at = now()
        where id = $1
      `,
      [id, body.name, body.address, body.icon, body.roles],
    );
    auditNote({
      objectId: id,
      objectName: body.name,
      detail: {
        before: { name: before.name, address: before.address, icon: before.icon, roles: before.roles },
        after: body,
      },
    });
    return this.tell(id);
  }

  async delete(id: string): Promise<void> {
    const row = found(
      (await currentSql().query<Row>(`delete from external_app where id = $1 returning ${columns}`, [id])).rows[0],
    );
    auditNote({ objectId: id, objectName: row.name });
    await emit(licenseApp, 'app', id, null, { companyId: context().companyId, version: row.version + 1 });
  }

  /** Other hosts are allowed now: what may not be shown leaves the menus, what may comes back. */
  async tellAll(): Promise<void> {
    const { rows } = await currentSql().query<{ id: string }>(
      'update external_app set version = version + 1 returning id',
    );
    const hosts = await allowedHosts();
    for (const { id } of rows) await this.tell(id, hosts);
  }

  private async tell(id: string, hosts?: ReadonlySet<string>): Promise<ExternalApp> {
    const row = (await currentSql().query<Row>(`select ${columns} from external_app where id = $1`, [id])).rows[0]!;
    const app = shown(row, hosts ?? (await allowedHosts()));
    await emit(
      licenseApp,
      'app',
      id,
      app.allowed ? { id, name: app.name, address: app.address, icon: app.icon, roleIds: app.roles } : null,
      { companyId: context().companyId, version: row.version },
    );
    return app;
  }
}

const shown = ({ version: _, ...row }: Row, hosts: ReadonlySet<string>): ExternalApp => ({
  ...row,
  allowed: hosts.has(new URL(row.address).host),
  updatedAt: iso(row.updatedAt),
});

async function checkHost(address: string): Promise<void> {
  if (!(await allowedHosts()).has(new URL(address).host)) failAt('address', 'config.appHostNotAllowed');
}
