import { phoneCodes } from '@carillon/contracts';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { answer, commandColumns } from './phone-command.answer.ts';
import { PhoneCommand } from './phone-command.entity.ts';
import { endsBefore, settle } from './phone-command.queries.ts';
import { statesBeforeSql } from './phone-command.states.ts';
import { lockFiles, raiseRevisions } from './phone-file.queries.ts';

/**
 * SQL: whether the phone of a command `c` makes a call, by its events. A call that it has not ended counts until its
 * longest time has passed, until the phone starts, and until its session ends.
 */
const isInCallSql = `
  exists (
    select 1
    from phone_state t
    join phone_session s on s.id = t.id and s.owner_epoch = t.owner_epoch
    where t.id = c.device_id and t.owner_epoch = c.owner_epoch and t.calls_until > now() and s.online
  )
`;

/** SQL: whether a command `c` that waits for the end of a call has reached its end. One with a file is ended elsewhere. */
const isOverSql = `(c.file is null and c.expires_at < now() + interval '${endsBefore} seconds')`;

/** SQL: whether a command `c` that waited for the end of a call goes on, or has to end. */
export const isHeldNoMoreSql = `(not ${isInCallSql} or ${isOverSql})`;

/** A command of which a process is to tell the phone; `f` is what it was before. */
export const claimed = columns(PhoneCommand, 'c', ['id', 'companyId', 'deviceId', 'action', 'whenIdle', 'file'], {
  wasBusy: computed<boolean>(`(f.state = 'busy')`),
  isOver: computed<boolean>(isOverSql),
});
export type Claimed = RowOf<typeof claimed>;

/**
 * Returns whether a phone may be told of a command now. Otherwise the command waits for the end of the phone's call, or
 * has failed because the call lasts longer than the command. A file is not in the configuration of its phone as long as
 * the command waits.
 */
export async function mayTell({ id, deviceId, whenIdle, file, wasBusy, isOver }: Claimed): Promise<boolean> {
  if (!whenIdle) return true;
  const withFile = file === null ? [] : [deviceId];
  await lockFiles(withFile);
  if (wasBusy && isOver) {
    await settle(id, 'fail', phoneCodes.busy);
    return false;
  }
  const held = await currentSql().rows(
    commandColumns,
    `
      update phone_command c
      set state = 'busy', claimed_until = null
      where c.id = $1 and c.state in ${statesBeforeSql('hold')} and ${isInCallSql}
      returning ${commandColumns}
    `,
    [id],
  );
  if (held.length > 0 || wasBusy) await raiseRevisions(withFile);
  await answer(held);
  return held.length === 0;
}
