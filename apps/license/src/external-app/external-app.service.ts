import { LockMode, raw, type QueryOrderMap } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  licenseApp,
  type addExternalApp,
  type editExternalApp,
  type ExternalApp as ExternalAppRecord,
  type RouteInput,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { alphabetic, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, failAt, found } from '@carillon/service';
import { SysConfig } from '../sys-config/sys-config.entity.ts';
import { ExternalApp } from './external-app.entity.ts';

const byName = (): QueryOrderMap<ExternalApp>[] => [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }];
const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;

/** Returns the hosts that the operator allows, as they appear in a URL. */
async function allowedHosts(): Promise<Set<string>> {
  const setting = await currentEntities().findOne(SysConfig, 'frameHosts');
  return new Set(setting?.value as string[] | null | undefined);
}

async function checkHost(address: string): Promise<void> {
  if (!(await allowedHosts()).has(new URL(address).host)) failAt('address', 'config.appHostNotAllowed');
}

const toRecord = (
  { id, name, address, icon, roleIds, updatedAt }: ExternalApp,
  hosts: ReadonlySet<string>,
): ExternalAppRecord => ({
  id,
  name,
  address,
  icon,
  roles: roleIds,
  allowed: hosts.has(new URL(address).host),
  updatedAt,
});

/** Publishes an app to the menus, or its removal. */
async function publish(app: ExternalApp, shown: boolean): Promise<void> {
  const { id, companyId, name, address, icon, roleIds, version } = app;
  await emit(licenseApp, 'app', id, shown ? { id, name, address, icon, roleIds } : null, { companyId, version });
}

/**
 * Manages the external apps of the operator's company. Apps of hosts that are not allowed appear in no menu (SYS-10).
 */
@Injectable()
export class ExternalAppService {
  async list(): Promise<ExternalAppRecord[]> {
    const hosts = await allowedHosts();
    return (await currentEntities().findAll(ExternalApp, { orderBy: byName() })).map((app) => toRecord(app, hosts));
  }

  async add({ roles, ...fields }: RouteInput<typeof addExternalApp>['body']): Promise<ExternalAppRecord> {
    await checkHost(fields.address);
    const app = currentEntities().create(ExternalApp, {
      id: uuidv7(),
      companyId: context().companyId,
      ...fields,
      roleIds: roles,
      version: 1,
    });
    auditNote({ objectId: app.id, objectName: app.name, detail: { before: null, after: { ...fields, roles } } });
    return this.store(app);
  }

  async edit({ id, roles, ...fields }: RouteInput<typeof editExternalApp>['body']): Promise<ExternalAppRecord> {
    const app = found(await currentEntities().findOne(ExternalApp, id, locked));
    await checkHost(fields.address);
    const before = { name: app.name, address: app.address, icon: app.icon, roles: app.roleIds };
    currentEntities().assign(app, { ...fields, roleIds: roles, version: app.version + 1 });
    auditNote({ objectId: id, objectName: app.name, detail: { before, after: { ...fields, roles } } });
    return this.store(app);
  }

  async delete(id: string): Promise<void> {
    const app = found(await currentEntities().findOne(ExternalApp, id, locked));
    app.version += 1;
    currentEntities().remove(app);
    auditNote({ objectId: id, objectName: app.name });
    await publish(app, false);
  }

  /** Publishes all apps after a change of the allowed hosts: apps leave or enter the menus. */
  async publishAll(): Promise<void> {
    await currentSql().query('update external_app set version = version + 1');
    const hosts = await allowedHosts();
    for (const app of await currentEntities().findAll(ExternalApp)) await publish(app, toRecord(app, hosts).allowed);
  }

  private async store(app: ExternalApp): Promise<ExternalAppRecord> {
    await currentEntities().flush();
    const record = toRecord(app, await allowedHosts());
    await publish(app, record.allowed);
    return record;
  }
}
