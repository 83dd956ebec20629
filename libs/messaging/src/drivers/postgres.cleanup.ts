import type pg from 'pg';

const step = 5_000;

export interface CleanupOptions {
  pool: pg.Pool;
  /** A slot is compacted once it has received this many new records. */
  compactAfter: number;
  /** How long tombstones stay, ms, so that a reader that has seen the value also sees its deletion. */
  tombstoneGraceMs: number;
}

interface Row {
  id: number;
  cleanup: 'compact' | 'delete';
  retention_ms: string | null;
  next: string;
  cleaned: string;
}

/**
 * Cleans all slots once, in steps of some thousand records. Several processes may run it; each slot is taken by one.
 */
export async function cleanUp(
  { pool, compactAfter, tombstoneGraceMs }: CleanupOptions,
  stopped: () => boolean,
): Promise<void> {
  const { rows } = await pool.query<Row>(`
    with due as (
      update cleanup
      set due = now() + interval '30 s'
      where slot in (select slot from cleanup where due < now() order by slot for update skip locked)
      returning slot, cleaned
    )
    select s.id, t.cleanup, t.retention_ms, s.next, d.cleaned
    from due d
    join slot s on s.id = d.slot
    join topic t on t.id = s.topic_id
    order by s.id
  `);
  for (const slot of rows) {
    if (slot.cleanup === 'delete') {
      if (slot.retention_ms !== null) await expire(pool, slot.id, Date.now() - Number(slot.retention_ms), stopped);
    } else {
      await compact(pool, slot, compactAfter, stopped);
      await pool.query(
        `
          delete from record
          where slot = $1 and value is null and pos < (select cleaned from cleanup where slot = $1) and at < $2
        `,
        [slot.id, Date.now() - tombstoneGraceMs],
      );
    }
    if (stopped()) return;
  }
}

async function expire(pool: pg.Pool, slot: number, before: number, stopped: () => boolean): Promise<void> {
  for (let gone = step; gone === step && !stopped();) {
    const { rowCount } = await pool.query(
      `
        delete from record
        where slot = $1
          and pos in (
            select pos
            from (select pos, at from record where slot = $1 order by pos limit $3) head
            where at < $2
          )
      `,
      [slot, before, step],
    );
    gone = rowCount ?? 0;
  }
}

/** Keeps only the newest record of each key. */
async function compact(pool: pg.Pool, slot: Row, after: number, stopped: () => boolean): Promise<void> {
  let from = Number(slot.cleaned);
  const end = Number(slot.next);
  if (end - from < after) return;
  while (from < end && !stopped()) {
    const to = Math.min(end, from + step);
    await pool.query(
      `
        with newest as (
          select key, max(pos) as pos
          from record
          where slot = $1 and pos >= $2 and pos < $3
          group by key
        ),
        gone as (
          delete from record r
          using newest n
          where r.slot = $1 and r.pos < $3 and r.key = n.key and r.pos < n.pos
        )
        update cleanup
        set cleaned = $3
        where slot = $1
      `,
      [slot.id, from, to],
    );
    from = to;
  }
}
