import { createHmac, hkdfSync } from 'node:crypto';
import { currentSql, iso, platform, type Database } from '@carillon/persistence';

/**
 * Each entry of a company is sealed with the seal of the one before it (SYS-04): who alters or removes one would have
 * to write all that follow anew, with a key that the database does not hold.
 */
export interface Sealed {
  id: string;
  at: string;
  company_id: string;
  user_id: string | null;
  username: string;
  action: string;
  object_id: string | null;
  object_name: string | null;
  address: string | null;
  result: string;
  request_id: string | null;
  detail: unknown;
  org_ids: readonly string[] | null;
  seq: number;
}

export const chainKey = (secret: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', 'operation-log chain', 32));

/** The same text for the same value, whatever order PostgreSQL gives the keys. */
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
    e.company_id,
    e.user_id,
    e.username,
    e.action,
    e.object_id,
    e.object_name,
    e.address,
    e.result,
    e.request_id,
    e.detail,
    ...(e.org_ids === null ? [] : [e.org_ids]),
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

/** Walks every company's chain from its first entry to its head and names each place that does not hold. */
export function verifyChains(database: Database, key: Buffer): Promise<ChainReport> {
  return platform(database, 'check the operation log', async () => {
    const report: ChainReport = { companies: 0, entries: 0, faults: [] };
    const heads = new Map(
      (
        await currentSql().query<{ company_id: string; seq: string; hash: string }>(
          'select company_id, seq, hash from operation_log_head',
        )
      ).rows.map((h) => [h.company_id, { seq: Number(h.seq), hash: h.hash }]),
    );
    const walks = new Map<string, Walk>();
    const fault = (companyId: string, seq: number, what: ChainFault['what']) =>
      report.faults.push({ companyId, seq, what });
    let from: readonly [string, number] = ['00000000-0000-0000-0000-000000000000', 0];
    for (;;) {
      const { rows } = await currentSql().query<Sealed & { hash: string }>(
        `
          select id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id,
            detail, org_ids, seq, hash
          from operation_log
          where seq > 0 and (company_id, seq) > ($1::uuid, $2::bigint)
          order by company_id, seq
          limit $3
        `,
        [...from, atOnce],
      );
      for (const row of rows) {
        const seq = Number(row.seq);
        const walk = walks.get(row.company_id) ?? { before: '', expected: 1 };
        if (seq > walk.expected) fault(row.company_id, walk.expected, 'removed');
        else if (seal(key, walk.before, { ...row, seq, at: iso(row.at) }) !== row.hash)
          fault(row.company_id, seq, 'altered');
        // From here on with what the row says of itself: one fault is told once.
        walks.set(row.company_id, { before: row.hash, expected: seq + 1 });
        from = [row.company_id, seq];
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
