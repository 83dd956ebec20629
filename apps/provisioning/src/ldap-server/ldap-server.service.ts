import { LockMode, raw } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import {
  sameDirectory,
  type addLdapServer,
  type editLdapServer,
  type listLdapServerNames,
  type listLdapServers,
  type RouteInput,
  type RouteReturn,
  type testLdapServer,
} from '@carillon/contracts';
import {
  alphabetic,
  afterCommit,
  columns,
  computed,
  currentEntities,
  currentSql,
  Database,
  sessionOf,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import {
  auditNote,
  CompanySecrets,
  CONFIG,
  emitAudit,
  emitLive,
  fail,
  failAt,
  Failure,
  found,
  keepDeleted,
  Outbound,
  outboundTests,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { isZone, userPlace } from '@carillon/contracts/user-place';
import { context, seesAll } from '@carillon/tenancy';
import type { ProvisioningConfig } from '../config.ts';
import { filterOf, isCertificate, ldapPorts, nameSupervisors, withDirectory, type ReadEntry } from './directory.ts';
import { LdapServer, passwordPlace } from './ldap-server.entity.ts';
import { LdapSyncLoop } from './ldap-sync.service.ts';
import { nextSync } from './next-sync.ts';
import { pageOfServers, serverById, type LdapServerRecord } from './ldap-server.queries.ts';

type Fields = RouteInput<typeof addLdapServer>['body'];
type Schedule = Pick<Fields, 'enabled' | 'cycle' | 'time' | 'weekday'> & { timeZone: string };

const shown = 10;
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'ldap_server_name', 'name', 'ldapServer.nameTaken');
const deleted = columns(LdapServer, 's', ['name'], {
  row: computed<object>(`
    to_jsonb(s) || jsonb_build_object(
      'accounts',
      (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from ldap_account a where a.server_id = s.id)
    )
  `),
});

/** Returns a server for the operation log: without its password, and only whether it has a certificate. */
const audited = ({ password: _, ca, attributes, ...rest }: Omit<Fields, 'password'> & { password?: unknown }) => ({
  ...rest,
  attributes: Object.values(attributes)
    .filter((name) => name !== '')
    .join(', '),
  ca: ca !== null,
});
const toldOf = (server: LdapServer) =>
  audited({
    name: server.name,
    enabled: server.enabled,
    host: server.host,
    port: server.port,
    security: server.security,
    checkCertificate: server.checkCertificate,
    ca: server.ca,
    userName: server.userName,
    base: server.base,
    filter: server.filter,
    attributes: server.attributes,
    cycle: server.cycle,
    time: server.time,
    timeZone: server.timeZone,
    weekday: server.weekday,
  });

/** Fails for users who do not see all organizations, because every organization sees the entries of a directory. */
function checkSeesAll(): void {
  if (!seesAll()) fail('ldapServer.narrowed');
}

function check({ filter, ca, timeZone }: Pick<Fields, 'filter' | 'ca' | 'timeZone'>): void {
  if (timeZone !== undefined && !isZone(timeZone)) failAt('timeZone', 'common.fieldValue');
  if (!filterOf(filter)) failAt('filter', 'ldapServer.filterWrong');
  if (ca !== null && !isCertificate(ca)) failAt('ca', 'ldapServer.certificateFormat');
}

const dueAt = (fields: Schedule): string | null => {
  const at = fields.enabled ? nextSync(fields, Date.now()) : null;
  return at === null ? null : new Date(at).toISOString();
};

/** Manages the LDAP servers of a company (ACC-04). */
@Injectable()
export class LdapServerService {
  private readonly outbound: Outbound;

  constructor(
    private readonly secrets: CompanySecrets,
    private readonly syncs: LdapSyncLoop,
    private readonly database: Database,
    @Inject(CONFIG) config: ProvisioningConfig,
  ) {
    this.outbound = new Outbound(config, ldapPorts);
  }

  list(query: RouteInput<typeof listLdapServers>['query']): Promise<RouteReturn<typeof listLdapServers>> {
    return pageOfServers(query);
  }

  async names(): Promise<RouteReturn<typeof listLdapServerNames>> {
    const servers = await currentEntities().findAll(LdapServer, {
      fields: ['id', 'name'],
      orderBy: [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }],
    });
    return servers.map(({ id, name }) => ({ id, name }));
  }

  async get(id: string): Promise<LdapServerRecord> {
    return found(await serverById(id));
  }

  async add({ password, ...fields }: Fields): Promise<LdapServerRecord> {
    checkSeesAll();
    check(fields);
    if (password === undefined) return failAt('password', 'ldapServer.passwordEmpty');
    const { companyId, timezoneId, countryId } = context();
    const id = uuidv7();
    const timed = { ...fields, timeZone: fields.timeZone ?? userPlace(timezoneId, countryId) };
    currentEntities().create(LdapServer, {
      ...timed,
      id,
      companyId,
      password: await this.secrets.seal(passwordPlace(id), password),
      nextSyncAt: dueAt(timed),
      version: 1,
    });
    await orNameTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: fields.name, detail: { before: null, after: audited(timed) } });
    await emitLive(companyId, 'ldapServer', [id], null);
    return this.get(id);
  }

  async edit({ id, password, ...fields }: RouteInput<typeof editLdapServer>['body']): Promise<LdapServerRecord> {
    checkSeesAll();
    check(fields);
    const server = found(await currentEntities().findOne(LdapServer, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const before = toldOf(server);
    const { companyId, timezoneId, countryId } = context();
    const isKept = server.cycle === fields.cycle && server.time === fields.time && server.weekday === fields.weekday;
    // An unchanged schedule keeps the zone in which it was meant.
    const timeZone = fields.timeZone ?? (isKept ? server.timeZone : userPlace(timezoneId, countryId));
    const timed = { ...fields, timeZone };
    const isDueAsBefore = isKept && server.timeZone === timeZone && server.enabled === fields.enabled;
    const kept = sameDirectory(server, fields) ? server.password : null;
    currentEntities().assign(server, {
      ...timed,
      password: password === undefined ? kept : await this.secrets.seal(passwordPlace(id), password),
      nextSyncAt: isDueAsBefore ? server.nextSyncAt : dueAt(timed),
      version: server.version + 1,
    });
    await orNameTaken(currentEntities().flush());
    auditNote({
      objectId: id,
      objectName: fields.name,
      detail: { before, after: audited(timed), ...(password === undefined ? {} : { passwords: ['password'] }) },
    });
    await emitLive(companyId, 'ldapServer', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    checkSeesAll();
    const [server] = await currentSql().rows(
      deleted,
      `select ${deleted} from ldap_server s where s.id = $1 for update`,
      [id],
    );
    const { name, row } = found(server);
    await currentSql().query('delete from ldap_server where id = $1', [id]);
    auditNote({ objectId: id, objectName: name });
    await keepDeleted('ldapServer', id, row);
    const { companyId } = context();
    await emitLive(companyId, 'ldapServer', [id], null);
    await emitLive(companyId, 'ldapAccount', [id], null);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    checkSeesAll();
    const kept = await takeBack<{ id: string; name: string; accounts: object[] }>('ldapServer', 'ldap_server', ids);
    if (kept.length === 0) return { restored: 0 };
    noteRestored(kept);
    await orNameTaken(
      currentSql().query(
        'insert into ldap_server select r.* from jsonb_populate_recordset(null::ldap_server, $1::jsonb) r',
        [JSON.stringify(kept)],
      ),
    );
    await currentSql().query(
      'insert into ldap_account select r.* from jsonb_populate_recordset(null::ldap_account, $1::jsonb) r',
      [JSON.stringify(kept.flatMap((server) => server.accounts))],
    );
    const back = kept.map((server) => server.id);
    const { companyId } = context();
    await emitLive(companyId, 'ldapServer', back, null);
    await emitLive(companyId, 'ldapAccount', back, null);
    return { restored: back.length };
  }

  /** Tests a server. No transaction is open while the server is queried. */
  test(body: RouteInput<typeof testLdapServer>['body']): Promise<RouteReturn<typeof testLdapServer>> {
    checkSeesAll();
    check(body);
    return outboundTests.run(() => this.tryServer(body));
  }

  private async tryServer({
    id,
    search,
    password,
    ...place
  }: RouteInput<typeof testLdapServer>['body']): Promise<RouteReturn<typeof testLdapServer>> {
    const session = sessionOf(context());
    const stored = await transaction(
      this.database,
      session,
      async () => {
        if (id === undefined) return undefined;
        const server = found(await currentEntities().findOne(LdapServer, id));
        return sameDirectory(server, place) && server.password !== null
          ? this.secrets.open(passwordPlace(id), server.password)
          : undefined;
      },
      { readOnly: true },
    );
    const given = password ?? stored;
    if (given === undefined) return failAt('password', 'ldapServer.passwordEmpty');
    const logResult = (result: string) =>
      transaction(this.database, session, () =>
        emitAudit('ldapServer.test', result, {
          ...(id === undefined ? {} : { objectId: id }),
          objectName: place.host,
          detail: { port: place.port, security: place.security },
        }),
      );
    try {
      const entries = await withDirectory(
        this.outbound,
        { ...place, password: given },
        { withinMs: 9_000, bytes: 4_194_304 },
        async (directory) => {
          const read: ReadEntry[] = [];
          for await (const page of directory.pages(shown * 2, search)) {
            read.push(...page);
            if (read.length >= shown) break;
          }
          return read.slice(0, shown);
        },
      );
      nameSupervisors(entries);
      await logResult('success');
      return { entries };
    } catch (error) {
      await logResult(error instanceof Failure ? error.key : 'common.unknown');
      throw error;
    }
  }

  async sync(id: string): Promise<LdapServerRecord> {
    checkSeesAll();
    const server = found(await currentEntities().findOne(LdapServer, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    auditNote({ objectId: id, objectName: server.name });
    if (!server.enabled) fail('ldapServer.disabled');
    if (server.password === null) fail('ldapServer.passwordEmpty');
    await this.syncs.order([server], true);
    await emitLive(server.companyId, 'ldapServer', [id], null);
    afterCommit(() => this.syncs.wake());
    return this.get(id);
  }

  async deleteMissing(id: string): Promise<{ deleted: number }> {
    checkSeesAll();
    const server = found(await currentEntities().findOne(LdapServer, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const { rowCount } = await currentSql().query('delete from ldap_account where server_id = $1 and missing', [id]);
    auditNote({ objectId: id, objectName: server.name, detail: { count: rowCount } });
    const { companyId } = context();
    await emitLive(companyId, 'ldapServer', [id], null);
    await emitLive(companyId, 'ldapAccount', [id], null);
    return { deleted: rowCount };
  }
}
