import { LockMode, raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type {
  addSipServer,
  editSipServer,
  listSipServerNames,
  listSipServers,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  columnNames,
  columns,
  computed,
  currentEntities,
  currentSql,
  filterBy,
  uuidv7,
} from '@carillon/persistence';
import {
  auditNote,
  emitLive,
  fail,
  found,
  keepDeleted,
  readPage,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { publishAccounts } from '../sip-account/sip-account.publisher.ts';
import { DeviceCopy, SipAccount } from '../sip-account/sip-account.entity.ts';
import { SipServer } from './sip-server.entity.ts';
import { publishServers, publishServersGone } from './sip-server.publisher.ts';

type SipServerRecord = RouteReturn<typeof addSipServer>;
type Fields = RouteInput<typeof addSipServer>['body'];

const accountCount = (where = ''): string =>
  `(select count(*)::int from sip_account a where a.server_id = s.id ${where})`;
export const fieldNames = [
  'name',
  'address',
  'port',
  'transport',
  'domain',
  'proxyAddress',
  'proxyPort',
  'backupAddress',
  'backupPort',
] as const;
const record = columns(SipServer, 's', ['id', ...fieldNames, 'updatedAt'], {
  accounts: computed<number>(accountCount()),
  assigned: computed<number>(accountCount(`and a.status <> 'unassigned'`)),
  unassigned: computed<number>(accountCount(`and a.status = 'unassigned'`)),
  devices: computed<number>('(select count(*)::int from device_copy d where d.server_id = s.id)'),
});
const deleted = columns(SipServer, 's', ['version'], { row: computed<object>('to_jsonb(s)') });
const column = columnNames(SipServer, 's');
const sorts = {
  name: alphabetic(column.name),
  address: column.address,
  port: column.port,
  transport: column.transport,
  domain: column.domain,
  proxy: column.proxyAddress,
  backup: column.backupAddress,
  accounts: 'accounts',
  assigned: 'assigned',
  unassigned: 'unassigned',
  updatedAt: column.updatedAt,
};
const filterColumns = {
  transport: filterBy.text(column.transport),
  name: filterBy.text(column.name),
  address: filterBy.text(column.address),
  domain: filterBy.text(column.domain),
  updatedAt: filterBy.moment(column.updatedAt),
};
const audited = (server: Fields) => Object.fromEntries(fieldNames.map((name) => [name, server[name]]));
export const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'sip_server_name', 'name', 'sipServer.nameTaken');

/**
 * Accounts of every organization register with a server: only users who see all of them may change it. Widens the
 * session to all.
 */
async function seeAll(): Promise<void> {
  if (!seesAll()) fail('sipServer.narrowed');
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
}

/** Manages the SIP servers of a company (ACC-01). */
@Injectable()
export class SipServerService {
  async list(query: RouteInput<typeof listSipServers>['query']): Promise<RouteReturn<typeof listSipServers>> {
    return readPage({
      query,
      record,
      from: 'sip_server s',
      searched: [column.name, column.address, column.domain, column.proxyAddress, column.backupAddress],
      filters: filterColumns,
      where: () => ['not s.fcs'],
      sorts,
      order: `${alphabetic(column.name)}, ${column.id}`,
    });
  }

  async names(): Promise<RouteReturn<typeof listSipServerNames>> {
    const servers = await currentEntities().findAll(SipServer, {
      fields: ['id', 'name', 'address', 'fcs'],
      orderBy: [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }],
    });
    return servers.map(({ id, name, address, fcs }) => ({ id, name, address, fcs }));
  }

  async get(id: string): Promise<SipServerRecord> {
    return found(
      (await currentSql().rows(record, `select ${record} from sip_server s where s.id = $1 and not s.fcs`, [id]))[0],
    );
  }

  /** Returns a locked server of the company. FCS servers cannot be changed here. */
  private async own(id: string): Promise<SipServer> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    return found(await currentEntities().findOne(SipServer, { id, fcs: false }, { lockMode }));
  }

  async add(fields: Fields): Promise<SipServerRecord> {
    await seeAll();
    const { companyId } = context();
    const id = uuidv7();
    currentEntities().create(SipServer, { id, companyId, version: 1, ...fields });
    await orNameTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before: null, after: audited(fields) } });
    await publishServers([id]);
    await emitLive(companyId, 'sipServer', [id], null);
    return this.get(id);
  }

  async edit({ id, ...fields }: RouteInput<typeof editSipServer>['body']): Promise<SipServerRecord> {
    await seeAll();
    const server = await this.own(id);
    const before = audited(server);
    currentEntities().assign(server, { ...fields, version: server.version + 1 });
    await orNameTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before, after: audited(fields) } });
    // Each account is published with its server's name.
    if (before['name'] !== fields.name) await publishAccounts({ serverIds: [id] });
    await publishServers([id]);
    await emitLive(context().companyId, 'sipServer', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    await seeAll();
    const server = await this.own(id);
    auditNote({ objectId: id, objectName: server.name, detail: { before: audited(server), after: null } });
    const [accounts, devices] = [
      await currentEntities().count(SipAccount, { serverId: id }),
      await currentEntities().count(DeviceCopy, { serverId: id }),
    ];
    if (accounts + devices > 0) fail('sipServer.inUse', { accounts, devices });
    const [row] = await currentSql().rows(deleted, `delete from sip_server s where s.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('sipServer', id, row!.row);
    await publishServersGone([{ id, companyId: context().companyId, version: row!.version }]);
    await emitLive(context().companyId, 'sipServer', [id], null);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    await seeAll();
    const kept = await takeBack<{ id: string; name: string; version: number }>('sipServer', 'sip_server', ids);
    if (kept.length === 0) return { restored: 0 };
    noteRestored(kept);
    await orNameTaken(
      currentSql().query(
        'insert into sip_server select r.* from jsonb_populate_recordset(null::sip_server, $1::jsonb) r',
        // Greater than the version of the deletion event. Servers that were deleted before FCS existed lack its
        // columns.
        [JSON.stringify(kept.map((server) => ({ fcs: false, closed: false, ...server, version: server.version + 2 })))],
      ),
    );
    const back = kept.map((server) => server.id);
    await publishServers(back);
    await emitLive(context().companyId, 'sipServer', back, null);
    return { restored: back.length };
  }
}
