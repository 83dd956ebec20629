import { columns, computed, preparedSql, type RowOf } from '@carillon/persistence';
import { needsCertificateSql } from '../device-model/series.ts';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';
import type { ReportedLine } from './phone-line.ts';
import { PhoneState } from './phone-state.entity.ts';

const reporting = columns(DeviceCopy, 'd', ['id', 'companyId', 'mac', 'model', 'ownerEpoch', 'secretMark'], {
  needsCertificate: computed<boolean>(needsCertificateSql),
});
export type ReportingDevice = RowOf<typeof reporting>;

/** Returns a device of the running company; undefined when it or its company is disabled. */
export async function reportingDevice(id: string): Promise<ReportingDevice | undefined> {
  const [found] = await preparedSql().rows(
    reporting,
    `
      select ${reporting}
      from device_copy d
      where d.id = $1 and d.enabled
        and not exists (select 1 from company_copy o where o.id = d.company_id and not o.open)
    `,
    [id],
  );
  return found;
}

const reported = columns(PhoneState, 's', [], { lines: computed<ReportedLine[]>('s.lines') });

/** Returns the lines that a phone told of, and locks them: two events of a phone must not lose one of its lines. */
export async function lockLines({ id, companyId, ownerEpoch }: ReportingDevice): Promise<ReportedLine[]> {
  const [found] = await preparedSql().rows(
    reported,
    `
      insert into phone_state as s (id, company_id, owner_epoch, lines)
      values ($1, $2, $3, '[]')
      on conflict (id) do update set owner_epoch = excluded.owner_epoch,
        lines = case when s.owner_epoch = excluded.owner_epoch then s.lines else '[]' end
      returning ${reported}
    `,
    [id, companyId, ownerEpoch],
  );
  return found!.lines;
}

/** Stores the lines of a phone. Each of its calls counts as ended after `callMs`. */
export async function storeLines(id: string, lines: readonly ReportedLine[], callMs: number): Promise<void> {
  const begun = lines.flatMap(({ calls = [] }) => calls.map(({ since }) => since));
  await preparedSql().query(
    `
      update phone_state s
      set lines = $2::jsonb, calls_until = to_timestamp($3::double precision / 1000)
      where s.id = $1
    `,
    [id, JSON.stringify(lines), begun.length === 0 ? null : Math.min(...begun) + callMs],
  );
}

const quiet = columns(PhoneState, 's', ['id', 'companyId', 'ownerEpoch'], {
  lines: computed<ReportedLine[]>('s.lines'),
  mac: computed<string>('d.mac'),
});
export type QuietPhone = RowOf<typeof quiet>;

const withoutCalls = `(select coalesce(jsonb_agg(l - 'calls'), '[]') from jsonb_array_elements(s.lines) l)`;

/** Ends the calls of a phone that starts. Returns its lines; undefined when it has told of no call. */
export async function endCalls(id: string): Promise<QuietPhone | undefined> {
  const [found] = await preparedSql().rows(
    quiet,
    `
      update phone_state s
      set lines = ${withoutCalls}, calls_until = null
      from device_copy d
      where d.id = s.id and d.owner_epoch = s.owner_epoch and s.id = $1 and s.calls_until is not null
      returning ${quiet}
    `,
    [id],
  );
  return found;
}

/** SQL: whether the calls of a phone `s` last too long: it has not said that they ended. */
export const areOverSql = '(s.calls_until < now())';

/** Returns and locks phones of the running company with calls that last too long, at most `most`. */
export const lockLongCalls = (most: number): Promise<QuietPhone[]> =>
  preparedSql().rows(
    quiet,
    `
      select ${quiet}
      from phone_state s
      join device_copy d on d.id = s.id and d.owner_epoch = s.owner_epoch
      where ${areOverSql}
      order by s.calls_until
      limit ${most}
      for update of s skip locked
    `,
    [],
  );

/** Forgets the calls of phones that were deleted, or have another owner, while they made one. */
export async function forgetCalls(): Promise<void> {
  await preparedSql().query(
    `
      update phone_state s
      set calls_until = null
      where ${areOverSql}
        and not exists (select 1 from device_copy d where d.id = s.id and d.owner_epoch = s.owner_epoch)
    `,
  );
}

/** Forgets the lines of deleted devices. */
export async function forgetLines(deviceIds: readonly string[]): Promise<void> {
  await preparedSql().query(
    `
      delete from phone_state s
      where s.id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = s.id)
    `,
    [deviceIds],
  );
}
