import { Injectable } from '@nestjs/common';
import { addSipServer, sipServerImport, type RouteInput, type SipTransport } from '@carillon/contracts';
import { columns, computed, currentSql, uuidv7 } from '@carillon/persistence';
import {
  checkedBy,
  emitLive,
  fail,
  Importer,
  type ImportedRow,
  type RowDone,
  type RowPlan,
  type RowUndo,
  type RowWrite,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { publishAccounts } from '../sip-account/sip-account.publisher.ts';
import { SipServer } from './sip-server.entity.ts';
import { publishServers, publishServersGone } from './sip-server.publisher.ts';
import { fieldNames, orNameTaken } from './sip-server.service.ts';

type Fields = RouteInput<typeof addSipServer>['body'];
interface Write {
  /** Set when a server is changed. */
  id?: string;
  fields: Fields;
}

const stored = columns(SipServer, 's', ['id', ...fieldNames]);
/** The state that undoing compares and restores. */
const whole = `to_jsonb(s) - '{version,updated_at}'::text[]`;
const written = columns(SipServer, 's', ['id', 'name'], { after: computed<object>(whole) });
const before = columns(SipServer, 's', ['id', 'name'], { before: computed<object>(whole) });
const gone = columns(SipServer, 's', ['id', 'companyId', 'version']);
const assigned = `name = x.name, address = x.address, port = x.port, transport = x.transport, domain = x.domain,
  proxy_address = x.proxy_address, proxy_port = x.proxy_port, backup_address = x.backup_address,
  backup_port = x.backup_port, version = s.version + 1, updated_at = now()`;

const columnOf = (property: string): string | null =>
  property.startsWith('proxy') ? 'proxy' : property.startsWith('backup') ? 'backup' : property;
/** Splits `host:port`, as the list shows it; an IPv6 address keeps its brackets. */
function placeOf(text: string): { address: string; port: number | null } {
  const [, address = text, port] = /^(.*?[^:]|\[.*\]):(\d{1,6})$/.exec(text) ?? [];
  return { address, port: port === undefined ? null : Number(port) };
}
const defaults = { domain: '', proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };

/** Returns the body of a row on top of the existing server: an empty cell changes nothing. */
function bodyOf(cells: ImportedRow['cells'], known: Fields | undefined): Record<string, unknown> {
  const transport = cells['transport']?.toLowerCase() ?? known?.transport ?? 'udp';
  const proxy = cells['proxy'] === undefined ? undefined : placeOf(cells['proxy']);
  const backup = cells['backup'] === undefined ? undefined : placeOf(cells['backup']);
  return {
    ...defaults,
    // The standard port of a transport (RFC 3261, section 18.1.1), as in the form.
    port: transport === 'tls' ? 5061 : 5060,
    ...known,
    transport: transport as SipTransport,
    ...Object.fromEntries((['name', 'address', 'domain'] as const).flatMap((f) => (cells[f] ? [[f, cells[f]]] : []))),
    ...(cells['port'] === undefined
      ? {}
      : { port: /^\d+$/.test(cells['port']) ? Number(cells['port']) : cells['port'] }),
    ...(proxy ? { proxyAddress: proxy.address, proxyPort: proxy.port } : {}),
    ...(backup ? { backupAddress: backup.address, backupPort: backup.port } : {}),
  };
}

/** Imports SIP servers from a spreadsheet (ACC-01). A server with a known name is updated. */
@Injectable()
export class SipServerImport extends Importer<Write> {
  readonly noun = 'sipServer';
  readonly fields = sipServerImport;

  override admit(): void {
    if (!seesAll()) fail('sipServer.narrowed');
  }

  keyOf(cells: ImportedRow['cells']): string | undefined {
    return cells['name']?.toLowerCase();
  }

  async plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]> {
    const names = rows.flatMap(({ cells }) => this.keyOf(cells) ?? []);
    const known = new Map(
      (
        await currentSql().rows(
          stored,
          `select ${stored} from sip_server s where not s.fcs and lower(s.name) = any ($1::text[])`,
          [names],
        )
      ).map(({ id, ...fields }) => [fields.name.toLowerCase(), { id, fields }] as const),
    );
    return rows.map(({ cells }): RowPlan<Write> => {
      const there = known.get(this.keyOf(cells) ?? '');
      const checked = checkedBy(addSipServer.body, bodyOf(cells, there?.fields), columnOf);
      if ('errors' in checked) return { outcome: 'wrong', errors: checked.errors };
      if (!there) return { outcome: 'add', write: { fields: checked.body } };
      const changed = fieldNames.filter((name) => checked.body[name] !== there.fields[name]);
      if (changed.length === 0) return { outcome: 'unchanged' };
      const changes = [...new Set(changed.map((name) => columnOf(name)!))];
      return { outcome: 'update', changes, write: { id: there.id, fields: checked.body } };
    });
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<RowDone[]> {
    const withIds = rows.map((row) => ({ ...row, id: row.write.id ?? uuidv7() }));
    const records = (outcome: 'add' | 'update') =>
      JSON.stringify(
        withIds
          .filter((row) => row.outcome === outcome)
          .map(({ id, write: { fields: f } }) => ({
            id,
            ...f,
            proxy_address: f.proxyAddress,
            proxy_port: f.proxyPort,
            backup_address: f.backupAddress,
            backup_port: f.backupPort,
          })),
      );
    const was = new Map(
      (
        await currentSql().rows(before, `select ${before} from sip_server s where s.id = any ($1::uuid[]) for update`, [
          withIds.map((row) => row.id),
        ])
      ).map((row) => [row.id, row] as const),
    );
    const done = [
      ...(await orNameTaken(
        currentSql().rows(
          written,
          `
          insert into sip_server as s (
            id, company_id, name, address, port, transport, domain, proxy_address, proxy_port, backup_address,
            backup_port, fcs, closed, version, updated_at
          )
          select x.id, $1, x.name, x.address, x.port, x.transport, x.domain, x.proxy_address, x.proxy_port,
            x.backup_address, x.backup_port, false, false, 1, now()
          from jsonb_populate_recordset(null::sip_server, $2::jsonb) x
          returning ${written}
        `,
          [context().companyId, records('add')],
        ),
      )),
      ...(await orNameTaken(
        currentSql().rows(
          written,
          `
          update sip_server s
          set ${assigned}
          from jsonb_populate_recordset(null::sip_server, $1::jsonb) x
          where s.id = x.id
          returning ${written}
        `,
          [records('update')],
        ),
      )),
    ];
    await this.publish(done, was);
    const after = new Map(done.map((row) => [row.id, row.after]));
    return withIds.map(({ rowId, id }) => ({
      rowId,
      objectId: id,
      before: was.get(id)?.before ?? null,
      after: after.get(id)!,
    }));
  }

  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const list = JSON.stringify(rows);
    const left = `jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb)`;
    const was = new Map(
      (
        await currentSql().rows(before, `select ${before} from sip_server s where s.id = any ($1::uuid[]) for update`, [
          rows.map((row) => row.objectId),
        ])
      ).map((row) => [row.id, row] as const),
    );
    const removed = await currentSql().rows(
      gone,
      `
        delete from sip_server s
        using ${left}
        where s.id = u."objectId" and u.before is null and to_jsonb(s) @> u.after
          and not exists (select 1 from sip_account a where a.server_id = s.id)
          and not exists (select 1 from device_copy d where d.server_id = s.id)
        returning ${gone}
      `,
      [list],
    );
    const back = await currentSql().rows(
      written,
      `
        update sip_server s
        set ${assigned}
        from ${left}, jsonb_populate_record(null::sip_server, u.before) x
        where s.id = u."objectId" and u.before is not null and to_jsonb(s) @> u.after
        returning ${written}
      `,
      [list],
    );
    await publishServersGone(removed);
    await this.publish([...removed.map(({ id }) => ({ id, name: '' })), ...back], was, removed.length);
    return new Set([...removed, ...back].map((row) => row.id));
  }

  /** Publishes servers, and their accounts when the name has changed, because each account contains it. */
  private async publish(
    rows: readonly { id: string; name: string }[],
    was: ReadonlyMap<string, { name: string }>,
    removed = 0,
  ): Promise<void> {
    await publishServers(rows.slice(removed).map((row) => row.id));
    for (const { id, name } of rows.slice(removed))
      if (was.has(id) && was.get(id)!.name !== name) await publishAccounts({ serverIds: [id] });
    await emitLive(
      context().companyId,
      'sipServer',
      rows.map((row) => row.id),
      null,
    );
  }
}
