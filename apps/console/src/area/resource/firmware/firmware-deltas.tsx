import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconFileDiff, IconTrash, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { fileSize } from '../../../kit/upload/file.ts';
import {
  deleteFirmwareDelta,
  deleteOfficialFirmwareDelta,
  restoreFirmwareDelta,
  restoreOfficialFirmwareDelta,
  type Firmware,
} from './firmware.calls.ts';
import part from '../../../kit/part/drawer-table.module.css';
import css from './firmware-deltas.module.css';

const DeltaDialog = lazy(() => import('./firmware-delta-dialog.tsx'));
const DeltaMake = lazy(() => import('./firmware-delta-make.tsx'));
type Order = Firmware['deltaOrders'][number];
/** What is deleted: a package, or one that is being made. */
type Named = Pick<Order, 'from'> & Partial<Order>;

/** Lists the differential packages of a firmware by their source versions (STORE-02). */
export default function FirmwareDeltas({ firmware, may }: { firmware: Firmware; may: boolean }) {
  const { t } = useText();
  const [asked, setAsked] = useState<'add' | 'make' | Named>();
  const close = () => setAsked(undefined);
  const remove = (row: Named) =>
    may && (
      <td className={css.action}>
        <ActionIcon variant="subtle" aria-label={deleteTitle(row, t)} onClick={() => setAsked(row)}>
          <IconTrash size={16} stroke={1.75} />
        </ActionIcon>
      </td>
    );
  return (
    <section className={`${part.section} ${css.section}`} aria-labelledby="firmware-deltas">
      <h2 id="firmware-deltas">{t('firmware.deltas')}</h2>
      {firmware.deltas.length + firmware.deltaOrders.length === 0 ? (
        <p className={part.note}>{t('firmware.deltaNone')}</p>
      ) : (
        <table className={`${part.table} ${css.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('firmware.from')}</th>
              <th scope="col">{t('firmware.file')}</th>
              <th scope="col" className={css.size}>
                {t('firmware.size')}
              </th>
              <th scope="col" className={css.size}>
                {t('firmware.saving')}
              </th>
              {may && <td />}
            </tr>
          </thead>
          <tbody>
            {firmware.deltas.map((delta) => (
              <tr key={delta.from}>
                <th scope="row" className="mono">
                  {delta.from}
                </th>
                <td className="mono">{delta.fileName}</td>
                <td className={css.size}>{fileSize(delta.size)}</td>
                <td className={css.size}>{savingOf(delta.size, firmware.size)}</td>
                {remove({ from: delta.from })}
              </tr>
            ))}
            {firmware.deltaOrders.map((order) => (
              <tr key={order.from}>
                <th scope="row" className="mono">
                  {order.from}
                </th>
                <td colSpan={3}>
                  <span role={order.state === 'failed' ? 'alert' : 'status'}>
                    {order.msg ?? t(`firmware.deltaOrder.${order.state}`, { percent: count(order.progress) })}
                  </span>
                </td>
                {remove(order)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {may && (
        <div className={css.add}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconFileDiff size={14} stroke={1.75} aria-hidden />}
            onClick={() => setAsked('make')}
          >
            {t('firmware.deltaMake')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconUpload size={14} stroke={1.75} aria-hidden />}
            onClick={() => setAsked('add')}
          >
            {t('firmware.deltaAdd')}
          </Button>
        </div>
      )}
      {asked === 'add' ? (
        <DeltaDialog firmware={firmware} onClose={close} />
      ) : asked === 'make' ? (
        <DeltaMake firmware={firmware} onClose={close} />
      ) : (
        asked && <DeleteDelta firmware={firmware} of={asked} onClose={close} />
      )}
    </section>
  );
}

/** Returns how much less a device loads, in percent; empty when it is not less. */
const savingOf = (size: number, whole: number): string =>
  size < whole ? `${count(Math.floor(100 * (1 - size / whole)))}%` : '';

const runs = ({ state }: Named): boolean => state === 'waiting' || state === 'making';
const deleteTitle = (row: Named, t: ReturnType<typeof useText>['t']): string =>
  t(runs(row) ? 'firmware.deltaCancel' : 'firmware.deltaDelete', { version: row.from });

function DeleteDelta({ firmware, of, onClose }: { firmware: Firmware; of: Named; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const deleted = useDeleted();
  const { from } = of;
  const named = { firmwareId: firmware.id, from };
  const isMine = firmware.path === 'mine';
  const changed = () => client.invalidateQueries({ queryKey: ['firmware'] });
  return (
    <AskDialog
      title={deleteTitle(of, t)}
      text={t('firmware.deltaDeleteText', { version: firmware.version })}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(isMine ? deleteFirmwareDelta : deleteOfficialFirmwareDelta, { query: named });
        await changed();
        const name = t('firmware.deltaName', { from, version: firmware.version });
        // A package that was not finished cannot be restored.
        if (of.state) return done(runs(of) ? 'canceled' : 'deleted', { name });
        return deleted({ what: 'firmwareDelta', name }, async () => {
          const back = await call(isMine ? restoreFirmwareDelta : restoreOfficialFirmwareDelta, { body: named });
          await changed();
          return back;
        });
      }}
    />
  );
}
