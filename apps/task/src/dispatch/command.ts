import { actions, type ActionFile } from '@carillon/actions';
import { linkCommand, phoneCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { span } from '@carillon/observability';
import { column, columns, computed, type RowOf } from '@carillon/persistence';
import { givenFile, type Links } from '../file/file.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { isPhoneSql } from './due.ts';

/** A row `td` to send, with facts of its task and device as `p`. */
export const sentRow = columns(
  TaskDevice,
  'td',
  ['taskId', 'deviceId', 'mac', 'model', 'ownerEpoch', 'orgId', 'commandId', 'expiresAt', 'siteId'],
  {
    action: column(Task, 'p', 'action'),
    params: column(Task, 'p', 'params'),
    traceparent: column(Task, 'p', 'traceparent'),
    firmware: column(DeviceCopy, 'p', 'firmware'),
    doorCount: column(DeviceCopy, 'p', 'doorCount'),
    /** Null when the device was deleted since. */
    capabilities: computed<string[] | null>('p.capabilities'),
    file: computed<ActionFile | null>('p.file'),
    /** Whether its session is over HTTP. */
    isPhone: computed<boolean>(isPhoneSql('td.device_id')),
    /** By the clock that says when a task was stopped, because each process has its own. */
    sentAt: computed<number>('(extract(epoch from clock_timestamp()) * 1000)::bigint::float8'),
  },
);
export type Sent = RowOf<typeof sentRow>;
export async function emitCommands(companyId: string, rows: readonly Sent[], links: Links): Promise<void> {
  const byWay = Map.groupBy(rows, ({ traceparent, isPhone }) => `${traceparent ?? ''} ${isPhone}`);
  for (const commands of byWay.values()) {
    const { traceparent, isPhone } = commands[0]!;
    await span(
      'task dispatch',
      { traceparent: traceparent ?? undefined, attributes: { 'carillon.commands': commands.length } },
      () =>
        emitMany(
          isPhone ? phoneCommand : linkCommand,
          'command',
          commands.map((r) => ({
            key: r.deviceId,
            companyId,
            orgId: r.orgId,
            ...(isPhone ? { version: r.sentAt } : {}),
            data: {
              deviceId: r.deviceId,
              mac: r.mac,
              ownerEpoch: r.ownerEpoch,
              id: r.commandId,
              action: r.action,
              expiresAt: Date.parse(r.expiresAt),
              args: argsOf(companyId, r, links),
              ...(isPhone ? { taskId: r.taskId } : {}),
            },
          })),
        ),
    );
  }
}

function argsOf(companyId: string, r: Sent, links: Links): Record<string, unknown> {
  const { deviceId, ownerEpoch, taskId, commandId } = r;
  const device = {
    id: deviceId,
    mac: r.mac,
    model: r.model,
    firmware: r.firmware,
    capabilities: r.capabilities ?? [],
    doorCount: r.doorCount,
  };
  const until = Date.parse(r.expiresAt);
  const command = { companyId, deviceId, ownerEpoch, taskId, commandId, until, isPhone: r.isPhone };
  const given = r.file ? givenFile(r.file, command, links) : undefined;
  return actions[r.action]!.toArgs(r.params, device, given) as Record<string, unknown>;
}

export const answerWithin = (patience: number): string =>
  JSON.stringify(Object.fromEntries(Object.values(actions).map((a) => [a.key, a.answerWithinMs * patience])));
