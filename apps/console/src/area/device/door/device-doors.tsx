import { useState } from 'react';
import { Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useAccess, useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { addTask } from '../../task/action/action.calls.ts';
import { isOver, reasonOf, taskDevicesQuery } from '../../task/task/one-task.calls.ts';
import { DoorState } from './door-state.tsx';
import parts from '../record/device-parts.module.css';
import css from './device-doors.module.css';

type Doors = Pick<DeviceRecord, 'id' | 'name' | 'doors' | 'onlineSince'>;
interface Wanted {
  door: number;
  command: 'open' | 'close';
}
interface Order extends Wanted {
  taskId: string;
}

/** Polling interval for a task without an event, in milliseconds. */
const lookMs = 500;

/** Shows the state of a device's doors with buttons for users with the permission. Needs `pageTexts`. */
export default function DeviceDoors({
  device,
  onAsking,
}: {
  device: Doors;
  /** Reports whether a dialog is open, so that the parent leaves the keyboard to it. */
  onAsking?: (isAsking: boolean) => void;
}) {
  const { t } = useText();
  const mayMove = useAccess().can('addTask', 'controlDoor');
  const [asked, setAsked] = useState<Wanted>();
  const ask = (wanted: Wanted | undefined) => {
    setAsked(wanted);
    onAsking?.(wanted !== undefined);
  };
  const [order, setOrder] = useState<Order>();
  const row = useOrderRow(order);
  /** Returns whether this order is under way: the second press of a double one would ask for it again. */
  const isGoing = ({ door, command }: Wanted) =>
    order?.door === door && order.command === command && (row === null || (row !== undefined && !isOver(row.status)));
  const isOnline = device.onlineSince !== null;
  return (
    <section className={css.doors}>
      <div className={css.head}>
        <h2 className={parts.heading}>
          {t('door.doors')}
          {!isOnline && <small>{t('door.offline')}</small>}
        </h2>
        {/* Always rendered, so that screen readers announce its changes. */}
        <div role="status" className={css.outcome}>
          {order && <Outcome order={order} row={row} />}
        </div>
      </div>
      <div className={parts.box} tabIndex={0} role="group" aria-label={t('door.doors')}>
        <table className={`${parts.table} ${parts.stacked}`}>
          <thead>
            <tr>
              <th scope="col">{t('door.door')}</th>
              <th scope="col">{t('device.state')}</th>
              {mayMove && <th scope="col" aria-label={t('common.more')} />}
            </tr>
          </thead>
          <tbody>
            {device.doors.map(({ door, status }) => (
              <tr key={door}>
                <td className={parts.atName}>{t('door.one', { door })}</td>
                <td className={parts.atState}>
                  <DoorState status={status} />
                </td>
                {mayMove && (
                  <td className={`${parts.lineActions} ${css.actions}`}>
                    {(['open', 'close'] as const).map((command) => (
                      <Button
                        key={command}
                        variant="default"
                        size="compact-sm"
                        disabled={!isOnline}
                        // It keeps the focus.
                        aria-disabled={isGoing({ door, command }) || undefined}
                        {...(isOnline ? {} : { title: t('door.offline') })}
                        onClick={() => {
                          if (!isGoing({ door, command })) ask({ door, command });
                        }}
                        aria-label={t(`door.${command}One`, { door })}
                      >
                        {t(`door.${command}`)}
                      </Button>
                    ))}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {asked && <AskDoor device={device} wanted={asked} onOrder={setOrder} onClose={() => ask(undefined)} />}
    </section>
  );
}

/** Asks for confirmation before a door moves. A double press sends one order. */
function AskDoor({
  device,
  wanted: { door, command },
  onOrder,
  onClose,
}: {
  device: Doors;
  wanted: Wanted;
  onOrder: (order: Order) => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const [orderId] = useState(() => crypto.randomUUID());
  return (
    <AskDialog
      title={t(`door.${command}Title`, { door, name: device.name })}
      text={t(`door.${command}Text`)}
      confirm={t(`door.${command}One`, { door })}
      onClose={onClose}
      onConfirm={async () => {
        const body = { action: 'doorControl', params: { command, door }, target: { ids: [device.id] }, orderId };
        const { id } = await call(addTask, { body });
        onOrder({ door, command, taskId: id });
        void client.invalidateQueries({ queryKey: ['task'] });
      }}
    />
  );
}

const words = {
  open: { going: 'door.opening', done: 'door.opened', not: 'door.notOpened' },
  close: { going: 'door.closing', done: 'door.closed', not: 'door.notClosed' },
} as const;

/**
 * Returns how far the order is at the device: null while it is not known yet, undefined without an order or for users
 * who see no tasks.
 */
function useOrderRow(order: Order | undefined) {
  const seesTasks = useGranted('/task/list');
  const rows = useQuery({
    ...taskDevicesQuery(order?.taskId ?? '', { limit: 1 }),
    enabled: seesTasks && order !== undefined,
    refetchInterval: ({ state }) => (state.data?.records.some((r) => isOver(r.status)) ? false : lookMs),
    // Nothing of the former order.
    placeholderData: undefined,
  });
  return order && seesTasks ? (rows.data?.records[0] ?? null) : undefined;
}

/** Shows the outcome of an order as it becomes known; users who see no tasks only learn that it was sent. */
function Outcome({ order: { door, command }, row }: { order: Order; row: ReturnType<typeof useOrderRow> }) {
  const { t } = useText();
  if (row === undefined) return <p>{t('door.sent', { door })}</p>;
  if (!row || !isOver(row.status))
    return (
      <p>
        <Loader size={12} aria-hidden /> {t(words[command].going, { door })}
      </p>
    );
  if (row.status === 'success') return <p>{t(words[command].done, { door })}</p>;
  if (row.code === 'noAnswer' || row.code === 'notDone') return <p className={css.bad}>{t('door.silent', { door })}</p>;
  return (
    <p className={css.bad}>{t(words[command].not, { door, reason: reasonOf(row) ?? t(`state.${row.status}`) })}</p>
  );
}
