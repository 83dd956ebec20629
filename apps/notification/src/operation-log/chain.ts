import { createHmac, hkdfSync } from 'node:crypto';
import { columns, currentSql, platform, type Database, type RowOf } from '@carillon/persistence';
import { OperationLog, OperationLogHead } from './operation-log.entity.ts';

const entry = columns(OperationLog, 'l', [
  'id',
  'at',
  'companyId',
  'userId',
  'username',
  'action',
  'objectId',
  'objectName',
  'address',
  'result',
  'requestId',
  'detail',
  'orgIds',
  'seq',
  'hash',
]);
const head = columns(OperationLogHead, 'h', ['companyId', 'seq', 'hash']);

/**
 * Each entry of a company is sealed with the seal of the previous one (SYS-04): to alter or remove one, an attacker
 * would have to rewrite all later ones with a key that the database does not hold.
 */
export type Sealed = Omit<RowOf<typeof entry>, 'hash'>;

export const chainKey = (secret: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'operation-log chain', 32));

/** Serializes a value independently of the key order that PostgreSQL returns. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`)
      .join()}}`;
  return JSON.stringify(value) ?? 'null';
}

export function seal(key: Buffer, before: string, e: Sealed): string {
  const text = canonical([
    before,
    e.seq,
    e.id,
    e.at,
    e.companyId,
    e.userId,
    e.username,
    e.action,
    e.objectId,
    e.objectName,
    e.address,
    e.result,
    e.requestId,
    e.detail,
    ...(e.orgIds === null ? [] : [e.orgIds]),
  ]);
  return createHmac('sha256', key).update(text).digest('hex');
}

export interface ChainFault {
  companyId: string;
  seq: number;
  what: 'altered' | 'removed' | 'added';
}
export interface ChainReport {
  companies: number;
  entries: number;
  faults: ChainFault[];
}

const atOnce = 2_000;

interface Walk {
  before: string;
  expected: number;
}

/** Verifies every company's chain from its first entry to its head, and returns each fault. */
export function verifyChains(database: Database, key: Buffer): Promise<ChainReport> {
  return platform(database, 'check the operation log', async () => {
    const report: ChainReport = { companies: 0, entries: 0, faults: [] };
    const heads = new Map(
      (await currentSql().rows(head, `select ${head} from operation_log_head h`)).map((h) => [h.companyId, h]),
    );
    const walks = new Map<string, Walk>();
    const fault = (companyId: string, seq: number, what: ChainFault['what']) =>
      report.faults.push({ companyId, seq, what });
    let from: readonly [string, number] = ['00000000-0000-0000-0000-000000000000', 0];
    for (;;) {
      const rows = await currentSql().rows(
        entry,
        `
          select ${entry}
          from operation_log l
          where l.seq > 0 and (l.company_id, l.seq) > ($1::uuid, $2::bigint)
          order by l.company_id, l.seq
          limit $3
        `,
        [...from, atOnce],
      );
      for (const row of rows) {
        const { companyId, seq } = row;
        const walk = walks.get(companyId) ?? { before: '', expected: 1 };
        if (seq > walk.expected) fault(companyId, walk.expected, 'removed');
        else if (seal(key, walk.before, row) !== row.hash) fault(companyId, seq, 'altered');
        // Continue with the row's own values, so that one fault is reported once.
        walks.set(companyId, { before: row.hash ?? '', expected: seq + 1 });
        from = [companyId, seq];
        report.entries += 1;
      }
      if (rows.length < atOnce) break;
    }
    for (const companyId of new Set([...heads.keys(), ...walks.keys()])) {
      report.companies += 1;
      const head = heads.get(companyId) ?? { seq: 0, hash: '' };
      const { before, expected } = walks.get(companyId) ?? { before: '', expected: 1 };
      if (expected - 1 < head.seq) fault(companyId, expected, 'removed');
      else if (expected - 1 > head.seq) fault(companyId, head.seq + 1, 'added');
      else if (before !== head.hash) fault(companyId, head.seq, 'altered');
    }
    return report;
  });
}
