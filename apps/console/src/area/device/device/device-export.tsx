import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { IconCircleCheckFilled, IconDownload } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addExport,
  deleteExport,
  exportColumns,
  exportQuery,
  exportsQuery,
  saveExport,
  type ExportRequest,
} from './device-export.calls.ts';
import { gridColumns } from '../../../kit/grid/list-columns.tsx';
import { deviceColumns } from '../record/device-columns.tsx';
import { deviceStates } from '../record/device.calls.ts';
import { useLayout } from '../../../kit/grid/layout.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { call, isCallError } from '../../../kit/session/call.ts';
import { keep } from '../../../kit/session/storage.ts';
import { userClock } from '../../../kit/text/clock.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './device-export.module.css';

/**
 * The file that is being written for this person: how far it is, and the file. Its id is kept, so that it is here again
 * after a reload (SHELL-17).
 */
export default function DeviceExport({ of, onClose }: { of: ExportRequest | string; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { shown } = useLayout(
    'device',
    useMemo(() => gridColumns(deviceColumns, t), [t]),
  );
  const [id, setId] = useState(typeof of === 'string' ? of : undefined);
  const [fault, setFault] = useState<string>();
  const asked = useRef(false);
  const query = useQuery({ ...exportQuery(id ?? ''), enabled: id !== undefined });
  const told = (e: unknown) => setFault(refusalOf(e).text);
  const order = useEffectEvent(() => {
    if (typeof of === 'string' || asked.current) return;
    asked.current = true;
    const columns = shown.flatMap((c) =>
      exportColumns.flatMap((key) => (key === c.key ? [{ key, title: c.title }] : [])),
    );
    const { offset, rule } = userClock();
    // Ordered, and the page loaded anew at once: the bell has it. A selection by hand may be too large for that.
    const keepalive = !('ids' in of) || of.ids.length < 500;
    const ask = async () => {
      const made = (
        await call(
          addExport,
          {
            body: {
              ...of,
              columns,
              words: Object.fromEntries(deviceStates.map((s) => [s, t(`state.${s}`)])),
              clock: { offset, rule },
            },
          },
          { keepalive },
        )
      ).id;
      keep('export-order', undefined);
      keep('export-device', made);
      setId(made);
      // A first answer that is still under way may be older than the order.
      await client.cancelQueries({ queryKey: exportsQuery.queryKey });
      void client.invalidateQueries({ queryKey: exportsQuery.queryKey });
    };
    // What no server refused is asked again when the page is there anew; a page that goes away ends its calls, too.
    ask().catch((e: unknown) => {
      if (isCallError(e)) keep('export-order', undefined);
      told(e);
    });
  });
  useEffect(() => order(), []);
  const file = query.data;
  const close = () => {
    keep('export-order', undefined);
    keep('export-device', undefined);
    onClose();
    if (id !== undefined)
      void call(deleteExport, { params: { id } }).catch(() => {
        /* gone already */
      });
  };
  // One that has gone meanwhile, after a day or by another tab, is no more to be told of.
  const leaveMissing = useEffectEvent(() => {
    if (query.isError && isCallError(query.error) && query.error.code === 404) {
      keep('export-device', undefined);
      onClose();
    }
  });
  useEffect(() => leaveMissing(), [query.isError]);
  const failed = fault ?? (file?.status === 'fail' ? t('export.failed') : undefined);
  return (
    <div className={css.strip} role="region" aria-label={t('export.region')}>
      {failed !== undefined ? (
        <div role="alert" className={css.words}>
          <FieldError text={failed} />
        </div>
      ) : file?.status === 'success' ? (
        <>
          <p role="status" className={css.words}>
            <IconCircleCheckFilled size={14} aria-hidden />
            {t('export.ready', { count: file.total, number: count(file.total) })}
          </p>
          <Button
            size="xs"
            leftSection={<IconDownload size={15} stroke={1.75} />}
            onClick={() => void saveExport(file.id, `${t('menu.devices')}.xlsx`).catch(told)}
          >
            {t('export.download')}
          </Button>
        </>
      ) : (
        <>
          <p role="status" className={css.words}>
            {file && file.total > 0
              ? t('export.progress', { done: count(file.done), total: count(file.total) })
              : t('export.begins')}
          </p>
          <progress
            className={css.bar}
            value={file?.done ?? 0}
            max={Math.max(1, file?.total ?? 1)}
            aria-label={t('export.region')}
          />
        </>
      )}
      {file?.status === 'process' && failed === undefined ? (
        <Button size="xs" variant="default" onClick={close}>
          {t('common.cancel')}
        </Button>
      ) : (
        <CloseButton size="sm" aria-label={t('common.close')} onClick={close} />
      )}
    </div>
  );
}
