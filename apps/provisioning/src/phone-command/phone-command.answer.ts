import { linkResult, phoneCodes, type AnswerStatus, type EventData } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, type RowOf } from '@carillon/persistence';
import { PhoneCommand } from './phone-command.entity.ts';
import type { PhoneCommandState } from './phone-command.states.ts';

export const commandColumns = columns(PhoneCommand, 'c', [
  'id',
  'companyId',
  'deviceId',
  'mac',
  'ownerEpoch',
  'epoch',
  'action',
  'file',
  'state',
  'code',
]);
export type Command = RowOf<typeof commandColumns>;

const statusOf: Record<PhoneCommandState, AnswerStatus> = {
  new: 'accepted',
  telling: 'accepted',
  busy: 'accepted',
  told: 'progress',
  waiting: 'progress',
  loading: 'progress',
  installing: 'downloaded',
  done: 'success',
};
const codes: Partial<Record<PhoneCommandState, string>> = {
  new: phoneCodes.telling,
  telling: phoneCodes.telling,
  busy: phoneCodes.busy,
  waiting: phoneCodes.waits,
  loading: phoneCodes.loading,
  installing: phoneCodes.installing,
};
/** Returns the code of a command that goes on. A phone that was told to load a file may take any time. */
const codeOf = ({ state, file }: Pick<Command, 'state' | 'file'>): string | undefined =>
  state === 'told' && file !== null ? phoneCodes.told : codes[state];

/** Answers commands by their states, as devices on the link do. */
export async function answer(commands: readonly Command[]): Promise<void> {
  const at = Date.now();
  await emitMany(
    linkResult,
    'result',
    commands.map(({ id, companyId, deviceId, mac, ownerEpoch, epoch, state, code, file }) => {
      const failed = state === 'done' && code !== null;
      const reason = failed ? code : codeOf({ state, file });
      const payload = {
        id,
        status: failed ? ('fail' as const) : statusOf[state],
        at,
        ...(reason === undefined ? {} : { code: reason }),
      };
      return {
        key: deviceId,
        companyId,
        data: { deviceId, mac, ownerEpoch, epoch, receivedAt: at, payload } satisfies EventData<
          typeof linkResult,
          'result'
        >,
      };
    }),
  );
}
