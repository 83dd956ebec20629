import { compareVersions, phoneCodes } from '@carillon/contracts';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { answer, commandColumns } from './phone-command.answer.ts';
import { PhoneCommand } from './phone-command.entity.ts';
import { statesBeforeSql, type PhoneCommandEvent, type PhoneCommandState } from './phone-command.states.ts';

/** How long a phone that has loaded its firmware may take to be back with it. */
const installMinutes = 30;
const atOnce = 500;

/** SQL: whether a command `c` has a file that its phone has not loaded. */
const isOpenSql = `(c.state <> 'done' and c.file is not null)`;

/**
 * SQL: what a device `d` is to load besides its configuration, for its present owner; null for nothing. It is no part
 * of the configuration: the version of that stays, so a device with firmware to load has not drifted.
 */
export const toLoadSql = `
  (
    select c.file
    from phone_command c
    where c.device_id = d.id and ${isOpenSql} and c.owner_epoch = d.owner_epoch and c.ends_at > now()
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
  await currentSql().query('select 1 from device_config g where g.id = any($1::uuid[]) order by g.id for update', [
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

const open = columns(PhoneCommand, 'c', ['id', 'deviceId', 'file', 'firmwareBefore']);

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
 * Answers all of them, except the successes of firmware: these are told by the start of the phone.
 */
async function move(
  commands: readonly Pick<RowOf<typeof open>, 'id'>[],
  event: FileEvent,
  codeOf: (id: string) => string | null = () => null,
): Promise<void> {
  if (commands.length === 0) return;
  const { state, endsAt } = next[event];
  const rows = await currentSql().rows(
    commandColumns,
    `
      update phone_command c
      set state = $2, code = x.code, claimed_until = null, ends_at = ${endsAt}
      from jsonb_to_recordset($1::jsonb) as x(id uuid, code text)
      where c.id = x.id and c.file is not null and c.state in ${statesBeforeSql(event)}
      returning ${commandColumns}
    `,
    [JSON.stringify(commands.map(({ id }) => ({ id, code: codeOf(id) }))), state],
  );
  if (state === 'done') await raiseRevisions(rows.map(({ deviceId }) => deviceId));
  await answer(rows.filter(({ file }) => event !== 'succeed' || file?.kind !== 'firmware'));
}

/**
 * Ends the commands of phones that have told a version: with the wanted one they are done, with neither that nor the
 * former one they have failed. Returns the phones that are done. The files of the phones are locked.
 */
export async function judgeVersions(phones: readonly { id: string; firmware: string | null }[]): Promise<Set<string>> {
  const told = new Map(phones.flatMap(({ id, firmware }) => (firmware === null ? [] : [[id, firmware] as const])));
  const commands = await openWhere(`c.file ->> 'kind' = 'firmware' and c.device_id = any($1::uuid[])`, [
    [...told.keys()],
  ]);
  const is = (deviceId: string, version: string | null) => compareVersions(told.get(deviceId)!, version) === 0;
  const [done, others] = [
    commands.filter(({ deviceId, file }) => is(deviceId, file!.version)),
    commands.filter(({ deviceId, file }) => !is(deviceId, file!.version)),
  ];
  await move(done, 'succeed');
  await move(
    others.filter(({ deviceId, firmwareBefore }) => firmwareBefore !== null && !is(deviceId, firmwareBefore)),
    'end',
    () => phoneCodes.otherVersion,
  );
  return new Set(done.map(({ deviceId }) => deviceId));
}

/**
 * Returns whether a phone was found upgraded a moment ago, by the version in its request: the start that it tells now
 * is that of the upgrade.
 */
export async function justUpgraded(deviceId: string): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      select 1
      from phone_command c
      where c.device_id = $1 and c.state = 'done' and c.file is not null and c.file ->> 'kind' = 'firmware'
        and c.code is null and c.ends_at > now() - interval '10 minutes'
      limit 1
    `,
    [deviceId],
  );
  return rowCount > 0;
}

/** Takes how far phones are with their files. A resource that is loaded is done: it needs no restart. */
export async function takeDownloads(type: 'begun' | 'loaded', commandIds: readonly string[]): Promise<void> {
  const commands = await openWhere('c.id = any($1::uuid[])', [commandIds]);
  if (type === 'begun') return move(commands, 'load');
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  const isFirmware = ({ file }: (typeof commands)[number]): boolean => file!.kind === 'firmware';
  await move(commands.filter(isFirmware), 'install');
  await move(
    commands.filter((command) => !isFirmware(command)),
    'succeed',
  );
}

/** Ends the commands that tasks sent before they were stopped or ended, at a Unix time in milliseconds. */
export async function endOfTasks(tasks: readonly { taskId: string; at: number }[]): Promise<void> {
  const commands = await openWhere(
    `
      c.task_id = any($1::uuid[])
      and c.created_at <= (
        select to_timestamp(max(x.at) / 1000.0)
        from jsonb_to_recordset($2::jsonb) as x("taskId" uuid, at float8)
        where x."taskId" = c.task_id
      )
    `,
    [tasks.map(({ taskId }) => taskId), JSON.stringify(tasks)],
  );
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  await move(commands, 'end', () => phoneCodes.stopped);
}

/** Ends a command whose file the configuration of its phone cannot name. */
export async function endWithoutSetting(id: string): Promise<void> {
  const commands = await openWhere('c.id = $1', [id]);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  await move(commands, 'end', () => phoneCodes.noSetting);
}

/** SQL: whether a command `c` with a file has reached its end undone. */
export const isOverdueSql = `(${isOpenSql} and c.ends_at < now())`;

/** Ends the overdue commands of the running company. */
export async function endOverdue(): Promise<void> {
  const commands = await openWhere('c.ends_at < now()', [], atOnce);
  await lockFiles(commands.map(({ deviceId }) => deviceId));
  const firmware = new Set(commands.flatMap(({ id, file }) => (file!.kind === 'firmware' ? id : [])));
  await move(commands, 'end', (id) => (firmware.has(id) ? phoneCodes.kept : phoneCodes.notLoaded));
}
