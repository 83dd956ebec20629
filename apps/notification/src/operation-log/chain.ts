import { createHmac, hkdfSync } from 'node:crypto';
import { currentSql, iso, platform, type Database } from '@carillon/persistence';

/**
 * Each entry of a company is sealed with the seal of the one before it (SYS-04): who alters or removes one would have to
 * write all that follow anew, with a key that the database does not hold.
 */
export interface Sealed {
  id: string; at: string; company_id: string; user_id: string | null; username: string; action: string; object_id: string | null; object_name: string | null; address: string | null; result: string; request_id: string | null;
  detail: unknown; seq: number;
}

export const chainKey = (secret: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secret, '', 'operation-log chain', 32));

/** The same text for the same value, whatever order PostgreSQL gives the keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null) return `{${Object.entries(value).filter(([, v]) => v !== undefined).sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join()}}`;
  return JSON.stringify(value) ?? 'null';
}

export function seal(key: Buffer, before: string, e: Sealed): string {
  const text = canonical([before, e.seq, e.id, e.at, e.company_id, e.user_id, e.username, e.action, e.object_id, e.object_name, e.address, e.result, e.request_id, e.detail]);
  return createHmac('sha256', key).update(text).digest('hex');
}

export interface ChainFault { companyId: string; seq: number; what: 'altered' | 'removed' | 'added' }
export interface ChainReport { companies: number; entries: number; faults: ChainFault[] }

const atOnce = 2_000;

/** Walks every company's chain from its first entry to its head and names each place that does not hold. */
export function verifyChains(database: Database, key: Buffer): Promise<ChainReport> {
  return platform(database, 'check the operation log', async () => {
    const report: ChainReport = { companies: 0, entries: 0, faults: [] };
    const heads = (await currentSql().query<{ companyId: string; seq: string; hash: string }>('select company_id as "companyId", seq, hash from operation_log_head order by company_id')).rows;
    const strays = (await currentSql().query<{ companyId: string; seq: string }>('select distinct on (company_id) company_id as "companyId", seq from operation_log where seq > 0 and company_id not in (select company_id from operation_log_head) order by company_id, seq')).rows;
    for (const stray of strays) report.faults.push({ companyId: stray.companyId, seq: Number(stray.seq), what: 'added' });
    for (const head of heads) {
      report.companies += 1;
      let before = '';
      let expected = 1;
      const fault = (seq: number, what: ChainFault['what']) => report.faults.push({ companyId: head.companyId, seq, what });
      for (;;) {
        const { rows } = await currentSql().query<Sealed & { hash: string }>(`
          select id, at, company_id, user_id, username, action, object_id, object_name, address, result, request_id, detail, seq, hash
          from operation_log where company_id = $1 and seq >= $2 order by seq limit $3`, [head.companyId, expected, atOnce]);
        for (const row of rows) {
          const seq = Number(row.seq);
          if (seq > expected) fault(expected, 'removed');
          else if (seal(key, before, { ...row, seq, at: iso(row.at) }) !== row.hash) fault(seq, 'altered');
          // From here on with what the row says of itself: one fault is told once.
          before = row.hash;
          expected = seq + 1;
          report.entries += 1;
        }
        if (rows.length < atOnce) break;
      }
      if (expected - 1 < Number(head.seq)) fault(expected, 'removed');
      else if (expected - 1 > Number(head.seq)) fault(Number(head.seq) + 1, 'added');
      else if (before !== head.hash) fault(Number(head.seq), 'altered');
    }
    return report;
  });
}
