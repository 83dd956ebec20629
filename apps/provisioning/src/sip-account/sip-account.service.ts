import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  provisioningAccount,
  type addSipAccount,
  type addSipAccountRange,
  type editSipAccount,
  type listSipAccounts,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
  CompanySecrets,
  emitLive,
  fail,
  failAt,
  found,
  keepDeleted,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import { giveBackFcs, takeFcs } from '../fcs/fcs.queries.ts';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { storeStatuses } from './account-line.queries.ts';
import { accountById, lockAccounts, pageOfAccounts, type SipAccountRecord } from './sip-account.queries.ts';
import { SipAccount } from './sip-account.entity.ts';
import { publishAccounts } from './sip-account.publisher.ts';

type Fields = RouteInput<typeof addSipAccount>['body'];
export const passwords = ['authPassword', 'proxyPassword', 'voicemailPassword'] as const;
type Password = (typeof passwords)[number];
const columnOf = { authPassword: 'auth', proxyPassword: 'proxy', voicemailPassword: 'voicemail' } as const;
export const passwordColumn = (password: Password) => `${columnOf[password]}_password` as const;
/** Returns the place of a password, which its ciphertext is bound to. */
export const placeOf = (password: Password, id: string): string => `sip_account.${passwordColumn(password)} ${id}`;

const deleted = columns(SipAccount, 'a', ['id', 'name', 'number', 'orgId', 'version'], {
  row: computed<object>('to_jsonb(a)'),
  fcs: computed<boolean>('(select s.fcs from sip_server s where s.id = a.server_id)'),
});
const numbered = columns(SipAccount, 'a', ['number']);
const moved = columns(SipAccount, 'a', ['id', 'companyId']);
export const orNumberTaken = <T>(work: Promise<T>) =>
  unlessTaken(work, 'sip_account_number', 'number', 'sipAccount.numberTaken');

/** Returns an account for the operation log; of a password only that it changed. */
const audited = ({
  id: _,
  orgId: __,
  status: ___,
  devices: ____,
  updatedAt: _____,
  fcs: ______,
  closed: _______,
  server,
  site,
  ...rest
}: SipAccountRecord) => ({
  ...rest,
  server: server.name,
  site: site?.name ?? null,
});

/** Moves all accounts of one organization to another (ORG-01). */
export async function moveAccounts(fromId: string, toId: string): Promise<void> {
  await lockAccounts('org_id', [fromId]);
  const rows = await currentSql().rows(
    moved,
    `update sip_account a set org_id = $2, version = version + 1 where org_id = $1 returning ${moved}`,
    [fromId, toId],
  );
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  await publishAccounts({ ids });
  await emitLive(rows[0]!.companyId, 'sipAccount', ids, [fromId, toId]);
}

/** Manages the SIP accounts of a company (ACC-02). */
@Injectable()
export class SipAccountService {
  constructor(private readonly secrets: CompanySecrets) {}

  list(query: RouteInput<typeof listSipAccounts>['query']): Promise<RouteReturn<typeof listSipAccounts>> {
    return pageOfAccounts(query);
  }

  async get(id: string): Promise<SipAccountRecord> {
    return found(await accountById(id));
  }

  async add({ orgId: wanted, ...fields }: Fields): Promise<SipAccountRecord> {
    const { companyId, orgId: own } = context();
    const orgId = await this.organization(wanted ?? own);
    const id = uuidv7();
    auditNote({ objectName: fields.name, orgIds: [orgId] });
    await this.check(fields);
    await this.count(fields.serverId);
    currentEntities().create(SipAccount, {
      ...fields,
      ...(await this.sealed(id, fields, { authPassword: null, proxyPassword: null, voicemailPassword: null })),
      id,
      companyId,
      orgId,
      status: 'unassigned',
      version: 1,
    });
    await orNumberTaken(currentEntities().flush());
    const account = await this.publish(id);
    auditNote({ objectId: id, detail: { before: null, after: audited(account) } });
    return account;
  }

  /** Adds one account per number, or none at all. */
  async addRange({
    orgId: wanted,
    from,
    to,
    name,
    ...fields
  }: RouteInput<typeof addSipAccountRange>['body']): Promise<RouteReturn<typeof addSipAccountRange>> {
    const { companyId, orgId: own } = context();
    const orgId = await this.organization(wanted ?? own);
    const first = Number(from);
    // Numbers keep the length of the first one: `0800` is followed by `0801`.
    const numbers = Array.from({ length: Number(to) - first + 1 }, (_, i) =>
      String(first + i).padStart(from.length, '0'),
    );
    auditNote({ objectName: `${from} – ${numbers.at(-1)}`, orgIds: [orgId], detail: { count: numbers.length } });
    await this.check(fields);
    await this.count(fields.serverId, undefined, numbers.length);
    await this.refuseTaken(fields.serverId, numbers);
    const seal = await this.secrets.sealer();
    const ids = numbers.map(() => uuidv7());
    for (const [at, id] of ids.entries())
      currentEntities().create(SipAccount, {
        ...fields,
        ...(Object.fromEntries(
          passwords.map((password) => [
            password,
            fields[password] ? seal(placeOf(password, id), fields[password]) : null,
          ]),
        ) as Record<Password, string | null>),
        id,
        companyId,
        orgId,
        name: `${name} ${numbers[at]!}`.trim(),
        number: numbers[at]!,
        authUser: '',
        status: 'unassigned',
        version: 1,
      });
    await orNumberTaken(currentEntities().flush());
    await publishAccounts({ ids });
    await emitLive(companyId, 'sipAccount', ids, [orgId]);
    return { added: ids.length };
  }

  private async refuseTaken(serverId: string, numbers: readonly string[]): Promise<void> {
    const taken = await currentSql().rows(
      numbered,
      `
        select ${numbered} from sip_account a
        where a.server_id = $1 and lower(a.number) = any ($2::text[])
        order by a.number
      `,
      [serverId, numbers],
    );
    if (taken.length > 0) failAt('from', 'sipAccount.rangeTaken', { count: taken.length, number: taken[0]!.number });
  }

  async edit({ id, orgId: wanted, ...fields }: RouteInput<typeof editSipAccount>['body']): Promise<SipAccountRecord> {
    const stored = found(await currentEntities().findOne(SipAccount, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const before = await this.get(id);
    auditNote({ objectId: id, objectName: fields.name, orgIds: [stored.orgId] });
    const orgId = wanted === undefined || wanted === stored.orgId ? stored.orgId : await this.organization(wanted);
    await this.check(fields);
    if (fields.serverId !== stored.serverId) await this.count(fields.serverId, stored.serverId);
    currentEntities().assign(stored, {
      ...fields,
      ...(await this.sealed(id, fields, stored)),
      orgId,
      version: stored.version + 1,
    });
    await orNumberTaken(currentEntities().flush());
    if (fields.number !== before.number) await storeStatuses([id]);
    const account = await this.publish(id, before.orgId);
    const changed = passwords.filter((password) => fields[password] !== undefined);
    auditNote({
      orgIds: [before.orgId, orgId],
      detail: {
        before: audited(before),
        after: audited(account),
        ...(changed.length > 0 ? { passwords: changed } : {}),
      },
    });
    return account;
  }

  async delete(ids: readonly string[]): Promise<{ deleted: number }> {
    const { companyId } = context();
    await lockAccounts('id', ids);
    const rows = await currentSql().rows(
      deleted,
      `delete from sip_account a where a.id = any ($1::uuid[]) returning ${deleted}`,
      [ids],
    );
    if (rows.length === 0) fail('common.notFound');
    for (const { id, row } of rows) await keepDeleted('sipAccount', id, row);
    await giveBackFcs(rows.filter((row) => row.fcs).length);
    await currentSql().query('delete from account_line where account_id = any ($1::uuid[])', [rows.map((r) => r.id)]);
    const orgIds = [...new Set(rows.map((r) => r.orgId))];
    auditNote({
      ...(rows.length === 1 ? { objectId: rows[0]!.id } : {}),
      objectName: rows
        .map((r) => r.name)
        .join(', ')
        .slice(0, 256),
      orgIds,
      detail: {
        count: rows.length,
        accounts: rows.slice(0, 100).map(({ id, name, number }) => ({ id, name, number })),
      },
    });
    await emitMany(
      provisioningAccount,
      'account',
      rows.map(({ id, orgId, version }) => ({ key: id, data: null, version: version + 1, companyId, orgId })),
    );
    await emitLive(
      companyId,
      'sipAccount',
      rows.map((r) => r.id),
      orgIds,
    );
    return { deleted: rows.length };
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    const kept = await takeBack<{ id: string; name: string; org_id: string; server_id: string }>(
      'sipAccount',
      'sip_account',
      ids,
    );
    if (kept.length === 0) return { restored: 0 };
    // A server that was deleted as well must be restored first.
    const serverIds = [...new Set(kept.map((a) => a.server_id))];
    const servers = await currentEntities().find(
      SipServer,
      { id: { $in: serverIds } },
      { lockMode: LockMode.PESSIMISTIC_READ, orderBy: { id: 'asc' } },
    );
    if (servers.length < serverIds.length) fail('common.restoreOver');
    const fcs = servers.filter((server) => server.fcs);
    if (fcs.some((server) => server.closed)) fail('fcs.off');
    await takeFcs(kept.filter((a) => fcs.some((server) => server.id === a.server_id)).length);
    const orgIds = [...new Set(kept.map((account) => account.org_id))];
    noteRestored(kept, { orgIds });
    // Greater than the version of the deletion event.
    const rows = kept.map((account) => ({
      ...account,
      status: 'unassigned',
      version: (account as unknown as { version: number }).version + 2,
    }));
    await orNumberTaken(
      currentSql().query(
        'insert into sip_account select r.* from jsonb_populate_recordset(null::sip_account, $1::jsonb) r',
        [JSON.stringify(rows)],
      ),
    );
    const back = kept.map((account) => account.id);
    await publishAccounts({ ids: back });
    await emitLive(context().companyId, 'sipAccount', back, orgIds);
    return { restored: back.length };
  }

  /** Checks that the referenced server and site exist for the caller. */
  private async check({ serverId, siteId }: Pick<Fields, 'serverId' | 'siteId'>): Promise<void> {
    found(await currentEntities().findOne(SipServer, serverId, { lockMode: LockMode.PESSIMISTIC_READ }));
    if (siteId !== null)
      found((await currentSql().query('select 1 as one from site_copy where id = $1', [siteId])).rows[0]);
  }

  /** Counts accounts that come to an FCS server, and subtracts those that leave for another server of the company. */
  private async count(serverId: string, former?: string, accounts = 1): Promise<void> {
    const ids = [serverId, ...(former === undefined ? [] : [former])];
    const servers = new Map((await currentEntities().find(SipServer, { id: { $in: ids } })).map((s) => [s.id, s]));
    const [to, from] = [servers.get(serverId)!, servers.get(former ?? '')];
    if (to.fcs && to.closed) fail('fcs.off');
    if (to.fcs && !from?.fcs) await takeFcs(accounts);
    if (!to.fcs && from?.fcs) await giveBackFcs(accounts);
  }

  private async organization(id: string | null | undefined): Promise<string> {
    const { orgIds, orgId: own } = context();
    if (!id || (orgIds !== '*' && !orgIds.includes(id))) fail('common.notFound');
    // A user who sees all organizations may name any; their own one came with their permissions.
    if (orgIds === '*' && id !== own)
      found((await currentSql().query('select 1 as one from organization_copy where id = $1', [id])).rows[0]);
    return id;
  }

  /** Returns the three password columns: an absent password stays, null removes it. */
  private async sealed(
    id: string,
    given: Partial<Record<Password, string | null | undefined>>,
    stored: Record<Password, string | null>,
  ): Promise<Record<Password, string | null>> {
    const result = {} as Record<Password, string | null>;
    for (const password of passwords) {
      const text = given[password];
      result[password] =
        text === undefined
          ? stored[password]
          : text === null
            ? null
            : await this.secrets.seal(placeOf(password, id), text);
    }
    return result;
  }

  private async publish(id: string, formerOrgId?: string): Promise<SipAccountRecord> {
    await publishAccounts({ ids: [id] });
    const account = await this.get(id);
    await emitLive(context().companyId, 'sipAccount', [id], [account.orgId, ...(formerOrgId ? [formerOrgId] : [])]);
    return account;
  }
}
