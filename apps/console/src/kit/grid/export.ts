import type { Column, Page } from './grid.types.ts';

/** A cell of a CSV file. What a table program would take for a formula is kept from it by an apostrophe. */
export function cell(text: string): string {
  // Also their full-width forms, which table programs of East Asia take for the same.
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+([.,]\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const atOnce = 200;

/**
 * Everything that is filtered, page by page, as one CSV in UTF-8 with the mark that table programs look for. `told`
 * hears how far it is and says whether to go on.
 */
export async function exportRows<T extends { id: string }>(
  columns: readonly Column<T>[],
  page: (page: number, limit: number) => Promise<Page<T>>,
  told: (done: number, total: number) => boolean,
): Promise<{ csv: string; rows: number } | undefined> {
  const written = columns.filter((c) => c.text !== undefined);
  const lines = [written.map((c) => cell(c.title)).join()];
  const seen = new Set<string>();
  for (let at = 1; ; at += 1) {
    const { records, total } = await page(at, atOnce);
    // A record that came in while it was read moves the others by one place: none stands in the file twice.
    for (const record of records.filter((r) => !seen.has(r.id))) {
      seen.add(record.id);
      lines.push(written.map((c) => cell(c.text!(record))).join());
    }
    if (!told(seen.size, total)) return undefined;
    if (records.length === 0 || at * atOnce >= total)
      return { csv: `\ufeff${lines.join('\r\n')}\r\n`, rows: seen.size };
  }
}
