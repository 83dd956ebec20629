import pg from 'pg';

/**
 * The log's own tables, in a separate database. A slot is one partition of one topic; `slot.next` is the offset of the
 * next record. An append locks its slots' rows until its commit, so that offsets appear in order and without gaps.
 */
const versions: readonly string[] = [
  `
create table topic (
  id int generated always as identity primary key, name text not null unique, partitions int not null,
  cleanup text not null check (cleanup in ('compact', 'delete')), retention_ms bigint
);
create table slot (
  id int generated always as identity primary key, topic_id int not null references topic, partition int not null,
  next bigint not null default 0, unique (topic_id, partition)
) with (fillfactor = 30);
create table record (
  slot int not null, pos bigint not null, key text not null, headers text not null, value text, at bigint not null,
  primary key (slot, pos)
);
create index record_tombstone on record (slot, pos) where value is null;
-- How far a slot is compacted, and when someone looks again: beside the slot, so that no append waits for it.
create table cleanup (slot int primary key references slot, cleaned bigint not null default 0,
  due timestamptz not null default now());

-- The last append of each writing process: an append that is sent again after a lost connection is found here.
create table writer (id uuid primary key, seq bigint not null, result jsonb,
  at timestamptz not null default now()) with (fillfactor = 30);

-- A process holds its partitions as long as its row stands. One that finds it expired deletes it, which frees them.
create table process (id uuid primary key, name text not null, until timestamptz not null) with (fillfactor = 30);
create table member (id uuid primary key, group_name text not null,
  process uuid not null references process on delete cascade, topics int[] not null);
create table position (
  group_name text not null, slot int not null references slot, pos bigint not null default 0,
  owner uuid references member on delete set null, epoch bigint not null default 0, primary key (group_name, slot)
) with (fillfactor = 30);

create function append(p_writer uuid, p_seq bigint, p_slots int[], p_counts int[],
  r_index int[], r_nth int[], r_key text[], r_headers text[], r_value text[])
returns jsonb language plpgsql as $$
declare
  v_seq bigint; v_result jsonb; v_at bigint; v_bases bigint[];
begin
  insert into writer (id, seq) values (p_writer, 0) on conflict do nothing;
  select seq, result into v_seq, v_result from writer where id = p_writer for update;
  if v_seq = p_seq then return v_result; end if;
  if v_seq > p_seq then return null; end if;
  perform 1 from slot where id = any (p_slots) order by id for update;
  v_at := floor(extract(epoch from clock_timestamp()) * 1000);
  with bumped as (
    update slot s set next = s.next + w.n from unnest(p_slots, p_counts) as w (id, n)
    where s.id = w.id returning s.id, s.next - w.n as base
  ) select array_agg(base order by array_position(p_slots, id)) into v_bases from bumped;
  insert into record (slot, pos, key, headers, value, at)
    select p_slots[r.i], v_bases[r.i] + r.nth, r.key, r.headers, r.value, v_at
    from unnest(r_index, r_nth, r_key, r_headers, r_value) as r (i, nth, key, headers, value);
  v_result := jsonb_build_object('at', v_at, 'bases', to_jsonb(v_bases));
  update writer set seq = p_seq, result = v_result, at = now() where id = p_writer;
  return v_result;
end $$;
`,
];

export type BusConnection = pg.ClientConfig & { connectionString?: string };

/** Migrates the log's database to this version. Safe to repeat, also from several processes at once. */
export async function migrateBus(connection: BusConnection): Promise<void> {
  const client = new pg.Client(connection);
  // A lost connection already fails the pending statement.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtextextended('carillon bus migration', 0))`);
    await client.query('create table if not exists bus_version (version int not null)');
    const { rows } = await client.query<{ version: number }>(
      'select coalesce(max(version), 0)::int as version from bus_version',
    );
    const from = rows[0]!.version;
    if (from > versions.length)
      throw new Error(`the bus database has version ${from}, this program knows ${versions.length}`);
    for (const [index, sql] of versions.entries()) {
      if (index < from) continue;
      await client.query(sql);
      await client.query('insert into bus_version values ($1)', [index + 1]);
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    await client.end();
  }
}
