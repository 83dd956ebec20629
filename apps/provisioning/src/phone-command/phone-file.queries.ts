import { compareVersions, phoneCodes } from '@carillon/contracts';
import { columns, computed, currentSql, preparedSql, type RowOf } from '@carillon/persistence';
import { answer, commandColumns } from './phone-command.answer.ts';
import { PhoneCommand } from './phone-command.entity.ts';
import { statesBeforeSql, type PhoneCommandEvent, type PhoneCommandState } from './phone-command.states.ts';

/** How long a phone that has loaded its firmware may take to be back with it. */
const installMinutes = 30;
const atOnce = 500;

/** SQL: whether a command `c` has a file that its phone has not loaded. */
export const isOpenSql = `(c.state <> 'done' and c.file is not null)`;

/**
 * SQL: what a device `d` is to load besides its configuration, for its present owner; null for nothing. It is no part
 * of the configuration: the version of that stays, so a device with firmware to load has not drifted. A file that waits
 * for the end of a call is not in it.
 */
export const toLoadSql = `
  (
    select c.file
    from phone_command c
    where c.device_id = d.id and ${isOpenSql} and c.state <> 'busy' and c.owner_epoch = d.owner_epoch
      and c.ends_at > now()
    order by c.created_at desc
    limit 1
  )
`;

/**
 * Locks the configurations of these devices, in one order, before their sessions and commands are locked: a command
 * that comes or ends changes their files.
 */
export async function lockFiles(deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await preparedSql().query('select 1 from device_config g where g.id = any($1::uuid[]) order by g.id for update', [
    deviceIds,
  ]);
}

/** Gives the files of these devices other revisions: some makers apply a file only with a higher one. */
export async function raiseRevisions(deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await currentSql().query('update device_config g set revision = g.revision + 1 where g.id = any($1::uuid[])', [
    deviceIds,
  ]);
}

const company = columns(PhoneCommand, 'c', ['companyId']);
const open = columns(PhoneCommand, 'c', ['id', 'deviceId', 'file', 'firmwareBefore', 'state']);

/** Returns the open commands with a file that a condition selects. */
const openWhere = (
  condition: string,
  values: readonly unknown[] = [],
  most: number | 'all' = 'all',
): Promise<RowOf<typeof open>[]> =>
  currentSql().rows(
    open,
    `select ${open} from phone_command c where ${isOpenSql} and ${condition} order by c.id limit ${most}`,
    values,
  );

/** Locks the configurations of those devices that have something to load. Returns whether there are any. */
export async function lockOpenFiles(deviceIds: readonly string[]): Promise<boolean> {
  const commands = await openWhere('c.device_id = any($1::uuid[])', [deviceIds]);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  return commands.length > 0;
}

type FileEvent = Extract<PhoneCommandEvent, 'load' | 'install' | 'succeed' | 'end'>;

/** The state after an event, and SQL: the end of the command from then on. */
const next: Readonly<Record<FileEvent, { state: PhoneCommandState; endsAt: string }>> = {
  load: { state: 'loading', endsAt: 'c.ends_at' },
  install: { state: 'installing', endsAt: `least(c.ends_at, now() + interval '${installMinutes} minutes')` },
  succeed: { state: 'done', endsAt: 'least(c.ends_at, now())' },
  end: { state: 'done', endsAt: 'least(c.ends_at, now())' },
};

/**
 * Moves commands with a file. One that is done is no longer in the file of its phone. Its caller has locked the files.
 * Answers all of them, except the successes of firmware: these are told by the start of the phone. `startDue`: the
 * phones will tell this start.
 */
async function move(
  commands: readonly Pick<RowOf<typeof open>, 'id'>[],
  event: FileEvent,
  { codeOf, startDue = false }: { codeOf?: (id: string) => string; startDue?: boolean } = {},
): Promise<void> {
  if (commands.length === 0) return;
  const { state, endsAt } = next[event];
  const rows = await currentSql().rows(
    commandColumns,
    `
      update phone_command c
      set state = $2, code = x.code, claimed_until = null, ends_at = ${endsAt}, start_due = $3
      from jsonb_to_recordset($1::jsonb) as x(id uuid, code text)
      where c.id = x.id and c.file is not null and c.state in ${statesBeforeSql(event)}
      returning ${commandColumns}
    `,
    [JSON.stringify(commands.map(({ id }) => ({ id, code: codeOf?.(id) ?? null }))), state, startDue],
  );
  if (state === 'done') await raiseRevisions(rows.map(({ deviceId }) => deviceId));
  await answer(rows.filter(({ file }) => event !== 'succeed' || file?.kind !== 'firmware'));
}

/**
 * Ends the commands of phones that have told a version: with the wanted one they are done, with neither that nor the
 * former one they have failed. Returns the phones that are done. Their files and sessions are locked. `isStart`: they
 * have told their start.
 */
export async function judgeVersions(
  phones: readonly { id: string; firmware: string | null }[],
  isStart = false,
): Promise<Set<string>> {
  const reported = new Map(phones.flatMap(({ id, firmware }) => (firmware === null ? [] : [[id, firmware] as const])));
  const commands = await openWhere(`c.file ->> 'kind' = 'firmware' and c.device_id = any($1::uuid[])`, [
    [...reported.keys()],
  ]);
  const is = (deviceId: string, version: string | null) => compareVersions(reported.get(deviceId)!, version) === 0;
  const [done, others] = [
    commands.filter(({ deviceId, file }) => is(deviceId, file!.version)),
    commands.filter(({ deviceId, file }) => !is(deviceId, file!.version)),
  ];
  await move(done, 'succeed', { startDue: !isStart });
  await move(
    others.filter(({ deviceId, firmwareBefore }) => firmwareBefore !== null && !is(deviceId, firmwareBefore)),
    'end',
    { codeOf: () => phoneCodes.otherVersion },
  );
  return new Set(done.map(({ deviceId }) => deviceId));
}

const upgraded = columns(PhoneCommand, 'c', ['id'], {
  isKnown: computed<boolean>(`
    (
      c.ends_at > now() - interval '10 minutes'
      and not exists (
        select 1
        from phone_command r
        where r.device_id = c.device_id and r.action = 'reboot' and r.state in ('telling', 'told')
          and r.expires_at > now()
      )
    )
  `),
});

/**
 * Returns whether the start that a phone tells is that of its upgrade, which was reported a moment ago, when the phone
 * was found upgraded by the version in a request. Only its first start can be; a phone that was told to restart has
 * restarted once more.
 */
export async function takeUpgradeStart(deviceId: string): Promise<boolean> {
  const rows = await currentSql().rows(
    upgraded,
    `update phone_command c set start_due = false where c.device_id = $1 and c.start_due returning ${upgraded}`,
    [deviceId],
  );
  return rows.some(({ isKnown }) => isKnown);
}

/** Takes how far phones are with their files. A resource that is loaded is done: it needs no restart. */
export async function takeDownloads(begun: readonly string[], loaded: readonly string[]): Promise<void> {
  const commands = await openWhere('c.id = any($1::uuid[])', [[...begun, ...loaded]]);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  const [started, whole] = [begun, loaded].map((ids) => commands.filter(({ id }) => ids.includes(id)));
  const isFirmware = ({ file }: (typeof commands)[number]): boolean => file!.kind === 'firmware';
  await move(started!, 'load');
  await move(whole!.filter(isFirmware), 'install');
  await move(
    whole!.filter((command) => !isFirmware(command)),
    'succeed',
  );
}

/** Stores that tasks were stopped or have ended, at a Unix time in milliseconds. Their commands may still come. */
export async function keepEnds(tasks: readonly { taskId: string; companyId: string; at: number }[]): Promise<void> {
  await currentSql().query(
    `
      insert into ended_task as e (id, company_id, task_id, ended_at)
      select gen_random_uuid(), x."companyId", x."taskId", to_timestamp(max(x.at) / 1000.0)
      from jsonb_to_recordset($1::jsonb) as x("taskId" uuid, "companyId" uuid, at float8)
      group by x."companyId", x."taskId"
      order by x."taskId"
      on conflict (company_id, task_id) do update set ended_at = greatest(e.ended_at, excluded.ended_at)
    `,
    [JSON.stringify(tasks)],
  );
}

/** Ends a command whose phone cannot load its file, for this reason. */
export async function endFile(id: string, code: string): Promise<void> {
  const commands = await openWhere('c.id = $1', [id]);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  await move(commands, 'end', { codeOf: () => code });
}

/** SQL: whether a command `c` with a file has reached its end undone. */
const isOverdueSql = `(${isOpenSql} and c.ends_at < now())`;
/** SQL: whether an ended task `e` has sent a command `c` before its end. */
export const isOfEndedSql = `
  ((e.company_id, e.task_id) = (c.company_id, c.task_id) and e.ended_at >= c.created_at)
`;

/** Returns companies with commands that are to be ended, at most `most`. */
export const companiesToEnd = (most: number): Promise<{ companyId: string }[]> =>
  currentSql().rows(
    company,
    `
      select ${company} from phone_command c where ${isOverdueSql}
      union
      select ${company} from ended_task e join phone_command c on ${isOfEndedSql} where ${isOpenSql}
      limit ${most}
    `,
  );

/** Ends commands of the running company that a condition selects, a part of them. Returns whether there are more. */
async function endPart(condition: string, codeOf: (command: RowOf<typeof open>) => string): Promise<boolean> {
  // Another process then ends other commands, instead of waiting for the files of the same ones.
  await currentSql().query(
    `select pg_advisory_xact_lock(hashtextextended('phone file ends ' || current_setting('app.company_id'), 0))`,
  );
  const commands = await openWhere(condition, [], atOnce);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  const codes = new Map(commands.map((command) => [command.id, codeOf(command)]));
  await move(commands, 'end', { codeOf: (id) => codes.get(id)! });
  return commands.length === atOnce;
}

const endCodes: Partial<Record<PhoneCommandState, string>> = { installing: phoneCodes.kept, busy: phoneCodes.busy };

/** Ends a part of the overdue commands of the running company. Returns whether there are more. */
export const endOverdue = (): Promise<boolean> =>
  endPart('c.ends_at < now()', ({ state }) => endCodes[state] ?? phoneCodes.notLoaded);

/** Ends a part of the commands that ended tasks of the running company sent. Returns whether there are more. */
export const endStopped = (): Promise<boolean> =>
  endPart(`exists (select 1 from ended_task e where ${isOfEndedSql})`, () => phoneCodes.stopped);
