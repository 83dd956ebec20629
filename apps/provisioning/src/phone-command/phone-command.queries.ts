import { linkResult, phoneCodes } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, preparedSql } from '@carillon/persistence';
import { vendorNamed } from '../vendor/vendor-of.ts';
import { publishKnown, type Session } from '../phone-session/phone-session.queries.ts';
import { answer, commandColumns, type Command } from './phone-command.answer.ts';
import { PhoneCommand } from './phone-command.entity.ts';
import { statesBeforeSql } from './phone-command.states.ts';
import { lockFiles, raiseRevisions } from './phone-file.queries.ts';

/** SQL: the states in which a phone is still to be told. */
export const untoldSql = statesBeforeSql('claim');

/** Seconds before its task gives up, so that the task still takes the reason. */
export const endsBefore = 10;

/**
 * Stores new commands, and answers all of them by what became of them. A file is in the configuration from now on. A
 * command whose task ended after it was sent has failed.
 */
export async function takeCommands(
  commands: readonly (Pick<Command, 'id' | 'companyId' | 'deviceId' | 'mac' | 'ownerEpoch' | 'action' | 'file'> & {
    taskId: string | null;
    whenIdle: boolean;
    /** When the task service sent it, by the clock of its database, and when it gives up; Unix time in milliseconds. */
    at: number;
    expiresAt: number;
  })[],
): Promise<void> {
  const withFile = commands.flatMap(({ deviceId, file }) => (file === null ? [] : deviceId));
  await lockFiles(withFile);
  const rows = await currentSql().rows(
    commandColumns,
    `
      insert into phone_command as c
        (id, company_id, device_id, mac, owner_epoch, epoch, action, task_id, when_idle, file, firmware_before, state,
          code, expires_at, ends_at, created_at)
      select x.id, x."companyId", x."deviceId", x.mac, x."ownerEpoch", coalesce(s.epoch, 0), x.action, x."taskId",
        x."whenIdle", x.file, s.firmware, case when e.id is null then 'new' else 'done' end,
        case when e.id is not null then '${phoneCodes.stopped}' end, to_timestamp(x."expiresAt" / 1000.0),
        to_timestamp(x."expiresAt" / 1000.0) - interval '${endsBefore} seconds', to_timestamp(x.at / 1000.0)
      from jsonb_to_recordset($1::jsonb) as x(
        id uuid, "companyId" uuid, "deviceId" uuid, mac text, "ownerEpoch" int, action text, "taskId" uuid, "whenIdle" bool,
        file jsonb, "expiresAt" float8, at float8
      )
      left join phone_session s on s.id = x."deviceId"
      left join ended_task e on (e.company_id, e.task_id) = (x."companyId", x."taskId")
        and e.ended_at >= to_timestamp(x.at / 1000.0)
      order by x.id
      on conflict (id) do update set epoch = excluded.epoch
      returning ${commandColumns}
    `,
    [JSON.stringify(commands)],
  );
  await raiseRevisions(rows.flatMap(({ deviceId, state, file }) => (state === 'new' && file ? deviceId : [])));
  await answer(rows);
}

/**
 * Moves a command that a process told the phone, and answers it; nothing when the phone has done it meanwhile. `code`
 * is the reason of a failure.
 */
export async function settle(
  id: string,
  event: 'accept' | 'miss' | 'fail',
  code: string = phoneCodes.unreached,
): Promise<void> {
  const to = { accept: 'told', miss: 'waiting', fail: 'done' } as const;
  const rows = await currentSql().rows(
    commandColumns,
    `
      update phone_command c
      set state = $2, code = $3, claimed_until = null
      where c.id = $1 and c.state in ${statesBeforeSql(event)}
      returning ${commandColumns}
    `,
    [id, to[event], event === 'fail' ? code : null],
  );
  await answer(rows);
}

/** Ends the open configuration commands of phones, if what these loaded is what they are to have now. */
export async function endLoads(loads: readonly { id: string; version: string | null }[]): Promise<void> {
  await answer(
    await preparedSql().rows(
      commandColumns,
      `
        with due as (
          select c.id
          from jsonb_to_recordset($1::jsonb) as x(id uuid, version text)
          join device_config g on g.id = x.id and g.content_version = x.version
          join phone_command c on c.device_id = x.id
          where c.state <> 'done' and c.action = 'configUpdate' and c.expires_at > now()
          order by c.id
          for update of c
        )
        update phone_command c
        set state = 'done', claimed_until = null
        from due
        where c.id = due.id
        returning ${commandColumns}
      `,
      [JSON.stringify(loads.map(({ id, version }) => ({ id, version })))],
    ),
  );
}

const ended = columns(PhoneCommand, 'c', ['deviceId']);

const opened = columns(PhoneCommand, 'c', ['deviceId', 'state'], { maker: computed<string>('s.maker') });

/** Returns which of these phones restart for firmware: they load it, have it, or were told to restart for it. */
async function upgrading(deviceIds: readonly string[]): Promise<string[]> {
  const rows = await currentSql().rows(
    opened,
    `
      select ${opened}
      from phone_command c
      join phone_session s on s.id = c.device_id
      where c.device_id = any($1::uuid[]) and c.state in ('telling', 'told', 'loading', 'installing')
        and c.file ->> 'kind' = 'firmware'
    `,
    [deviceIds],
  );
  return rows.flatMap(({ deviceId, state, maker }) =>
    state === 'loading' || state === 'installing' || vendorNamed(maker)?.loads.firmware?.restarts ? deviceId : [],
  );
}

/**
 * Reports that phones have started, with the reason: a phone that was told to restart did so by that command, and the
 * upgraded ones by their upgrade. Their sessions are new ones.
 */
export async function reportStarts(
  sessions: readonly Session[],
  upgraded: ReadonlySet<string> = new Set(),
): Promise<void> {
  if (sessions.length === 0) return;
  const rows = await currentSql().rows(
    ended,
    `
      update phone_command c
      set state = 'done', claimed_until = null
      where c.device_id = any($1::uuid[]) and c.state in ('telling', 'told') and c.action = 'reboot'
        and c.expires_at > now()
      returning ${ended}
    `,
    [sessions.map(({ id }) => id)],
  );
  const ids = sessions.map(({ id }) => id);
  const restarting = new Set([...rows.map(({ deviceId }) => deviceId), ...(await upgrading(ids))]);
  const bootOf = ({ id }: Session) => (upgraded.has(id) ? 'upgrade' : restarting.has(id) ? 'reboot' : 'power');
  await publishKnown(sessions, bootOf);
  const receivedAt = Date.now();
  await emitMany(
    linkResult,
    'back',
    sessions.map((session) => {
      const { id, companyId, mac, ownerEpoch, epoch, firmware } = session;
      const about = { deviceId: id, mac, ownerEpoch, epoch, receivedAt };
      return { key: id, companyId, data: { ...about, boot: bootOf(session), firmware: firmware ?? '', uptime: 0 } };
    }),
  );
}

const restarting = columns(PhoneCommand, 'c', ['deviceId'], { maker: computed<string>('s.maker') });

/**
 * Returns which of these phones were told to restart and cannot say that they have: their makers have no action URL for
 * it. They ask for their files when they start, so asking shows it.
 */
export async function silentlyRestarted(deviceIds: readonly string[]): Promise<Set<string>> {
  const rows = await currentSql().rows(
    restarting,
    `
      select ${restarting}
      from phone_command c
      join phone_session s on s.id = c.device_id
      where c.device_id = any($1::uuid[]) and c.state = 'told' and c.action = 'reboot' and c.expires_at > now()
    `,
    [deviceIds],
  );
  return new Set(
    rows.flatMap(({ deviceId, maker }) => (vendorNamed(maker)?.events?.settings.boot === undefined ? [deviceId] : [])),
  );
}

/** SQL: whether a device `d` has a command that it has not done. */
export const hasCommandSql = `
  exists (select 1 from phone_command c where c.device_id = d.id and c.state <> 'done' and c.expires_at > now())
`;
