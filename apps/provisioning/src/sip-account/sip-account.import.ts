import { Injectable } from '@nestjs/common';
import { addSipAccount, provisioningAccount, sipAccountImport, type RouteInput } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, uuidv7 } from '@carillon/persistence';
import {
  checkedBy,
  CompanySecrets,
  emitLive,
  fail,
  Importer,
  renewTexts,
  waitingPlace,
  type ConcealedText,
  type ImportedRow,
  type RowDone,
  type RowError,
  type RowPlan,
  type RowUndo,
  type RowWrite,
  type Renewer,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import { sealedAccounts } from '../company-key/sealed-tables.ts';
import { giveBackFcs, takeFcs } from '../fcs/fcs.queries.ts';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { SiteCopy } from '../site/site.projection.ts';
import { SipAccount } from './sip-account.entity.ts';
import { orNumberTaken, passwordColumn, passwords, placeOf } from './sip-account.service.ts';
import { publishAccounts } from './sip-account.publisher.ts';

type Fields = RouteInput<typeof addSipAccount>['body'];
interface Write {
  /** Set when an account is changed. */
  id?: string;
  fields: Fields;
}
type Password = (typeof passwords)[number];
/** A row as stored in the table. */
type Row = Readonly<Record<string, unknown>>;

const texts = ['name', 'number', 'displayName', 'authUser', 'proxyUser', 'voicemailNumber'] as const;
const stored = columns(SipAccount, 'a', ['id', 'serverId', 'siteId', ...texts, ...passwords]);
/** The state that undoing compares and restores. */
const whole = `to_jsonb(a) - '{version,updated_at,status}'::text[]`;
const written = columns(SipAccount, 'a', ['id', 'orgId'], { after: computed<object>(whole) });
const before = columns(SipAccount, 'a', ['id'], { before: computed<Row>(whole) });
const gone = columns(SipAccount, 'a', ['id', 'orgId', 'version'], {
  fcs: computed<boolean>('(select s.fcs from sip_server s where s.id = a.server_id)'),
});
const server = columns(SipServer, 's', ['id', 'name', 'fcs', 'closed']);
const site = columns(SiteCopy, 'i', ['id', 'name']);
const assigned = `server_id = x.server_id, site_id = x.site_id, name = x.name, number = x.number,
  display_name = x.display_name, auth_user = x.auth_user, auth_password = x.auth_password, proxy_user = x.proxy_user,
  proxy_password = x.proxy_password, voicemail_number = x.voicemail_number,
  voicemail_password = x.voicemail_password, version = a.version + 1, updated_at = now()`;

const columnOf = (property: string): string | null =>
  property === 'serverId' ? 'server' : property === 'siteId' ? 'site' : property;
const keyOf = (serverId: string, number: string): string => `${serverId} ${number.toLowerCase()}`;

type Known = Map<string, string[]>;
/**
 * Returns the id for a name; of several the current one. Returns an error when there is none or the name is ambiguous.
 */
function named(
  known: Known,
  name: string | undefined,
  field: string,
  now?: string | null,
): { id?: string; error?: RowError } {
  if (name === undefined) return {};
  const ids = known.get(name.toLowerCase()) ?? [];
  if (ids.length === 1) return { id: ids[0]! };
  if (now && ids.includes(now)) return { id: now };
  return { error: { field, error: ids.length === 0 ? 'import.notFound' : 'import.notOne' } };
}
const byName = (rows: readonly { id: string; name: string }[]): Known =>
  new Map(
    [...Map.groupBy(rows, (row) => row.name.toLowerCase())].map(
      ([name, accounts]) => [name, accounts.map((row) => row.id)] as const,
    ),
  );

/** Imports SIP accounts from a spreadsheet (ACC-02). A number that its server already has is updated. */
@Injectable()
export class SipAccountImport extends Importer<Write> {
  readonly noun = 'sipAccount';
  readonly fields = sipAccountImport;

  constructor(private readonly secrets: CompanySecrets) {
    super();
  }

  /** New accounts go to the caller's organization. */
  override admit(): void {
    const { orgId, orgIds } = context();
    if (!orgId || (orgIds !== '*' && !orgIds.includes(orgId))) fail('common.notFound');
  }

  keyOf({ server: of, number }: ImportedRow['cells']): string | undefined {
    return of === undefined || number === undefined ? undefined : `${of.toLowerCase()} ${number.toLowerCase()}`;
  }

  override async conceal(all: readonly ConcealedText[]): Promise<string[]> {
    const seal = await this.secrets.sealer();
    return all.map(({ place, text }) => seal(place, text));
  }

  async plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]> {
    const wanted = (field: 'server' | 'site') => [rows.flatMap(({ cells }) => cells[field]?.toLowerCase() ?? [])];
    const ofName = await currentSql().rows(
      server,
      `select ${server} from sip_server s where lower(s.name) = any ($1::text[])`,
      wanted('server'),
    );
    const servers = byName(ofName);
    const closed = new Set(ofName.filter((s) => s.closed).map((s) => s.id));
    const sites = byName(
      await currentSql().rows(
        site,
        `select ${site} from site_copy i where lower(i.name) = any ($1::text[])`,
        wanted('site'),
      ),
    );
    const pairs = rows.flatMap(({ cells: { server: of, number } }) => {
      const { id } = named(servers, of, 'server');
      return id === undefined || number === undefined ? [] : [{ server: id, number: number.toLowerCase() }];
    });
    const known = new Map(
      (
        await currentSql().rows(
          stored,
          `
            select ${stored}
            from jsonb_to_recordset($1::jsonb) as x(server uuid, number text)
            join sip_account a on a.server_id = x.server and lower(a.number) = x.number
          `,
          [JSON.stringify(pairs)],
        )
      ).map((account) => [keyOf(account.serverId, account.number), account] as const),
    );
    const plans: RowPlan<Write>[] = [];
    for (const row of rows) {
      const plan = await this.planOne(row, servers, sites, known);
      plans.push(
        plan.outcome === 'add' && closed.has(plan.write.fields.serverId)
          ? { outcome: 'wrong', errors: [{ field: 'server', error: 'fcs.off' }] }
          : plan,
      );
    }
    return plans;
  }

  private async planOne(
    row: ImportedRow,
    servers: Known,
    sites: Known,
    known: ReadonlyMap<string, Fields & { id: string } & Record<Password, string | null>>,
  ): Promise<RowPlan<Write>> {
    const { cells } = row;
    const server = named(servers, cells['server'], 'server');
    const there = server.id === undefined ? undefined : known.get(keyOf(server.id, cells['number'] ?? ''));
    const at = named(sites, cells['site'], 'site', there?.siteId);
    const given = await this.opened(row);
    const checked = checkedBy(
      addSipAccount.body,
      {
        ...Object.fromEntries(
          texts.flatMap((field) => {
            const text = cells[field] ?? there?.[field];
            return text === undefined ? [] : [[field, text]];
          }),
        ),
        serverId: server.id,
        siteId: at.id ?? there?.siteId ?? null,
        ...given,
      },
      columnOf,
    );
    const found = [server.error, at.error].flatMap((error) => error ?? []);
    if ('errors' in checked || found.length > 0) {
      const more = 'errors' in checked ? checked.errors : [];
      return { outcome: 'wrong', errors: [...found, ...more.filter((e) => !found.some((f) => f.field === e.field))] };
    }
    if (!there) return { outcome: 'add', write: { fields: checked.body } };
    const changes: string[] = [
      ...texts.filter((field) => checked.body[field] !== there[field]),
      ...(checked.body.siteId === there.siteId ? [] : ['site']),
    ];
    // Never compared with the stored one: "unchanged" would say that a guess is right.
    changes.push(...passwords.filter((password) => given[password] !== undefined));
    if (changes.length === 0) return { outcome: 'unchanged' };
    return { outcome: 'update', changes, write: { id: there.id, fields: checked.body } };
  }

  private async opened({ id, cells }: ImportedRow): Promise<Partial<Record<Password, string>>> {
    const result: Partial<Record<Password, string>> = {};
    for (const password of passwords)
      if (cells[password] !== undefined)
        result[password] = await this.secrets.open(waitingPlace(password, id), cells[password]);
    return result;
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<RowDone[]> {
    const { companyId, orgId } = context();
    const seal = await this.secrets.sealer();
    const withIds = rows.map((row) => ({ ...row, id: row.write.id ?? uuidv7() }));
    // Absent passwords are taken from the locked row: they may have been changed or resealed since the check.
    const password = (id: string, { fields }: Write, name: Password): unknown => {
      const text = fields[name];
      return text === undefined || text === null
        ? (was.get(id)?.[passwordColumn(name)] ?? null)
        : seal(placeOf(name, id), text);
    };
    const records = (outcome: 'add' | 'update') =>
      JSON.stringify(
        withIds
          .filter((row) => row.outcome === outcome)
          .map(({ id, write }) => ({
            id,
            server_id: write.fields.serverId,
            site_id: write.fields.siteId,
            name: write.fields.name,
            number: write.fields.number,
            display_name: write.fields.displayName,
            auth_user: write.fields.authUser,
            auth_password: password(id, write, 'authPassword'),
            proxy_user: write.fields.proxyUser,
            proxy_password: password(id, write, 'proxyPassword'),
            voicemail_number: write.fields.voicemailNumber,
            voicemail_password: password(id, write, 'voicemailPassword'),
          })),
      );
    // The lock makes a deletion of the server wait, which then finds these accounts.
    const held = await currentSql().rows(
      server,
      `select ${server} from sip_server s where s.id = any ($1::uuid[]) order by s.id for share`,
      [[...new Set(withIds.map((row) => row.write.fields.serverId))]],
    );
    const fcs = new Set(held.filter((s) => s.fcs).map((s) => s.id));
    await takeFcs(withIds.filter((row) => row.outcome === 'add' && fcs.has(row.write.fields.serverId)).length);
    const was = await this.held(withIds.map((row) => row.id));
    const done = [
      ...(await orNumberTaken(
        currentSql().rows(
          written,
          `
            insert into sip_account as a (
              id, company_id, org_id, server_id, site_id, name, number, display_name, auth_user, auth_password,
              proxy_user, proxy_password, voicemail_number, voicemail_password, status, version, updated_at
            )
            select x.id, $1, $2, x.server_id, x.site_id, x.name, x.number, x.display_name, x.auth_user,
              x.auth_password, x.proxy_user, x.proxy_password, x.voicemail_number, x.voicemail_password, 'unassigned',
              1, now()
            from jsonb_populate_recordset(null::sip_account, $3::jsonb) x
            returning ${written}
          `,
          [companyId, orgId, records('add')],
        ),
      )),
      ...(await orNumberTaken(
        currentSql().rows(
          written,
          `
            update sip_account a
            set ${assigned}
            from jsonb_populate_recordset(null::sip_account, $1::jsonb) x
            where a.id = x.id
            returning ${written}
          `,
          [records('update')],
        ),
      )),
    ];
    await this.publish(done);
    const after = new Map(done.map((row) => [row.id, row.after]));
    return withIds.map(({ rowId, id }) => ({
      rowId,
      objectId: id,
      before: was.get(id) ?? null,
      after: after.get(id)!,
    }));
  }

  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const ids = rows.map((row) => row.objectId);
    await this.held(ids);
    // A key renewal may have resealed only one side of the comparison so far, and the next one may begin at any moment:
    // both sides get the same key.
    const renewer = await this.secrets.renewer();
    await renewTexts(this.secrets, sealedAccounts, renewer.version, { ids }, renewer);
    const list = JSON.stringify(await this.renewed(rows, renewer));
    const left = `jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb)`;
    const removed = await currentSql().rows(
      gone,
      `
        delete from sip_account a
        using ${left}
        where a.id = u."objectId" and u.before is null and to_jsonb(a) @> u.after
          and not exists (select 1 from account_line l where l.account_id = a.id)
        returning ${gone}
      `,
      [list],
    );
    const back = await currentSql().rows(
      written,
      `
        update sip_account a
        set ${assigned}
        from ${left}, jsonb_populate_record(null::sip_account, u.before) x
        where a.id = u."objectId" and u.before is not null and to_jsonb(a) @> u.after
          and exists (select 1 from sip_server s where s.id = x.server_id)
        returning ${written}
      `,
      [list],
    );
    await giveBackFcs(removed.filter((row) => row.fcs).length);
    const { companyId } = context();
    await emitMany(
      provisioningAccount,
      'account',
      removed.map(({ id, orgId, version }) => ({ key: id, data: null, version: version + 1, companyId, orgId })),
    );
    await this.publish(back, removed);
    return new Set([...removed, ...back].map((row) => row.id));
  }

  private async renewed(rows: readonly RowUndo[], { renew }: Renewer): Promise<RowUndo[]> {
    const side = async (row: Row | null, id: string): Promise<Record<string, unknown> | null> => {
      if (row === null) return null;
      const result = { ...row };
      for (const name of passwords) {
        const sealed = row[passwordColumn(name)];
        // A ciphertext that no key opens is compared as it is.
        if (typeof sealed === 'string')
          result[passwordColumn(name)] = await renew(placeOf(name, id), sealed).catch(() => sealed);
      }
      return result;
    };
    const result: RowUndo[] = [];
    for (const { objectId, before, after } of rows)
      result.push({
        objectId,
        before: await side(before, objectId),
        after: (await side(after, objectId))!,
      });
    return result;
  }

  /** Returns the accounts, locked until the commit. */
  private async held(ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const rows = await currentSql().rows(
      before,
      `select ${before} from sip_account a where a.id = any ($1::uuid[]) order by a.id for update`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.before]));
  }

  private async publish(
    there: readonly { id: string; orgId: string }[],
    removed: readonly { id: string; orgId: string }[] = [],
  ): Promise<void> {
    // An empty selection must not mean "all accounts".
    if (there.length > 0) await publishAccounts({ ids: there.map((row) => row.id) });
    const all = [...there, ...removed];
    await emitLive(
      context().companyId,
      'sipAccount',
      all.map((row) => row.id),
      all.map((row) => row.orgId),
    );
  }
}
