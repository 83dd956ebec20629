import { useState, type ReactNode } from 'react';
import { Button, Modal, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sheetDevices } from '@carillon/contracts/constants';
import type { Target } from '../../../kit/grid/selection.ts';
import { Failed } from '../../../kit/grid/states.tsx';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceFilter } from '../record/device.calls.ts';
import { LineSheet } from './line-sheet-editor.tsx';
import { sheetRows } from './line-sheet.calls.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './line-sheet.module.css';

export interface LineSheetRequest {
  target: Target<DeviceFilter>;
  count: number;
}

/** Edits the lines of the selected devices as in a spreadsheet (ACC-02). */
export default function LineSheetDialog({ request, onClose }: { request: LineSheetRequest; onClose: () => void }) {
  const { t } = useText();
  const [loaded, setLoaded] = useState(0);
  const [dirty, setDirty] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const isTooMany = request.count > sheetDevices;
  // The rows of one opening: a later change of a device is a conflict of its save, not another row under the cursor.
  const rows = useQuery({
    queryKey: ['lineSheet', request.target],
    queryFn: ({ signal }) => sheetRows(request.target, signal, setLoaded),
    enabled: !isTooMany,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const close = () => (dirty ? setLeaving(true) : onClose());
  const number = { count: request.count, number: count(request.count) };
  return (
    <Modal
      opened
      onClose={close}
      fullScreen
      title={t('lineSheet.title', number)}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      onKeyDown={(e) => {
        if (e.key === 'Escape' && !e.defaultPrevented && !leaving) close();
      }}
      classNames={{ content: css.content!, body: css.body! }}
    >
      <div className={css.whole}>
        {isTooMany ? (
          <p className={css.note}>{t('lineSheet.tooMany', { most: count(sheetDevices) })}</p>
        ) : rows.isError ? (
          <Failed text={t('lineSheet.failed')} error={rows.error} onRetry={() => void rows.refetch()} />
        ) : rows.data ? (
          <LineSheet rows={rows.data} onDirty={setDirty} onClose={onClose} onCancel={close} />
        ) : (
          <Loading part={loaded / Math.max(1, request.count)}>
            {t('lineSheet.loading', { ...number, done: count(loaded) })}
          </Loading>
        )}
      </div>
      <Modal opened={leaving} onClose={() => setLeaving(false)} title={t('form.leave')} withCloseButton={false}>
        <p className={dialog.effect}>{t('lineSheet.leaveText')}</p>
        <div className={dialog.buttons}>
          <Button variant="default" onClick={() => setLeaving(false)} data-autofocus>
            {t('form.stay')}
          </Button>
          <Button color="danger" onClick={onClose}>
            {t('form.discard')}
          </Button>
        </div>
      </Modal>
    </Modal>
  );
}

function Loading({ part, children }: { part: number; children: ReactNode }) {
  const { t } = useText();
  return (
    <div className={css.loading} role="status">
      <p>{children}</p>
      <Progress value={part * 100} aria-label={t('lineSheet.progress')} />
    </div>
  );
}
