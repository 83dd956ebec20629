import { defineEntity, p } from '@mikro-orm/postgresql';
import { createdInstant, instant, tenant, tenantProperties } from '@carillon/persistence';
import type { PhoneFile } from '../vendor/file-setting.ts';
import type { PhoneCommandState } from './phone-command.states.ts';

/** SQL: a command with a file that its phone has not loaded. */
const openFile = `state <> 'done' and file is not null`;

/**
 * A command for a phone that has a session over HTTP; its id is the command's. It is kept for a day after its end, so
 * that a repeated command is answered again and not done again.
 */
export const PhoneCommand = defineEntity({
  name: 'PhoneCommand',
  tableName: 'phone_command',
  indexes: [
    {
      name: 'phone_command_due',
      expression: `
        create index phone_command_due on phone_command (created_at) where state in ('new', 'busy', 'telling')
      `,
    },
    {
      name: 'phone_command_open',
      expression: `create index phone_command_open on phone_command (device_id) where state <> 'done'`,
    },
    {
      name: 'phone_command_file',
      expression: `create index phone_command_file on phone_command (ends_at) where ${openFile}`,
    },
    {
      name: 'phone_command_task',
      expression: `create index phone_command_task on phone_command (task_id) where ${openFile}`,
    },
    {
      name: 'phone_command_start',
      expression: 'create index phone_command_start on phone_command (device_id) where start_due',
    },
    { name: 'phone_command_end', expression: 'create index phone_command_end on phone_command (expires_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    deviceId: p.uuid(),
    mac: p.string().length(12),
    ownerEpoch: p.integer(),
    /** Epoch of the session for which the task service sent it last. */
    epoch: p.bigint('number'),
    action: p.string().length(64),
    /** Null for a command of the release before. */
    taskId: p.uuid().strictNullable(),
    /** Whether the phone is told only when it makes no call. */
    whenIdle: p.boolean().default(false),
    /** What the phone is to load; null for a command without a file. */
    file: p.json<PhoneFile>().strictNullable(),
    /** The firmware that the phone had when the command came; null when it had told none. */
    firmwareBefore: p.string().length(128).strictNullable(),
    state: p.string().$type<PhoneCommandState>().length(16),
    /** Why it failed; null for a success, or while it is open. */
    code: p.string().length(64).nullable(),
    expiresAt: instant(3),
    /** When a command with a file fails, before its task gives up; the time of its end once it is done. */
    endsAt: instant(3).defaultRaw('now()'),
    /** Whether its phone was found upgraded before it told its start, which is then the start of the upgrade. */
    startDue: p.boolean().default(false),
    /** While it is told: another process takes over then. */
    claimedUntil: instant().nullable(),
    /** When the task service sent it first. */
    createdAt: createdInstant(3),
  },
});
