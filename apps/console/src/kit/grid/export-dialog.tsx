import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useText } from '../text/use-text.ts';
import { LeaveGuard } from '../part/leave-guard.tsx';
import { FieldError } from '../part/field-error.tsx';
import { refusalOf } from '../part/refusal.ts';
import { count } from '../text/text.ts';
import { exportRows } from './export.ts';
import type { Column, Page } from './grid.types.ts';
import css from '../part/dialog.module.css';
import own from './export-dialog.module.css';

/**
 * Writes what is filtered into a file, and shows how far it is. It is written in this page: whoever leaves or reloads
 * it before the end is asked first.
 */
export default function ExportDialog<T extends { id: string }>({
  name,
  columns,
  total,
  onPage,
  onClose,
}: {
  name: string;
  columns: readonly Column<T>[];
  total: number;
  onPage: (page: number, limit: number) => Promise<Page<T>>;
  onClose: () => void;
}) {
  const { t } = useText();
  const [state, setState] = useState<{ done: number; total: number } | { rows: number } | { fault: string }>({
    done: 0,
    total,
  });
  const stopped = useRef(false);
  const begin = useEffectEvent(() => {
    stopped.current = false;
    exportRows(columns, onPage, (done, of) => {
      if (!stopped.current) setState({ done, total: of });
      return !stopped.current;
    }).then(
      (result) => {
        if (result === undefined || stopped.current) return;
        const url = URL.createObjectURL(new Blob([result.csv], { type: 'text/csv;charset=utf-8' }));
        const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
        setState({ rows: result.rows });
      },
      (e: unknown) => {
        if (!stopped.current) setState({ fault: refusalOf(e).text });
      },
    );
  });
  useEffect(() => {
    begin();
    return () => {
      stopped.current = true;
    };
  }, []);
  const running = 'done' in state;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('grid.exportTitle', { count: total, number: count(total) })}
      withCloseButton={false}
      closeOnClickOutside={!running}
    >
      <LeaveGuard when={running} lost="export" />
      <p className={css.effect}>{t('grid.exportText')}</p>
      {running && (
        <>
          <progress
            className={own.bar}
            value={state.done}
            max={Math.max(1, state.total)}
            aria-label={t('grid.export')}
          />
          <p role="status" className={own.text}>
            {t('grid.exported', { done: count(state.done), total: count(state.total) })}
          </p>
        </>
      )}
      {'rows' in state && (
        <p role="status" className={own.text}>
          {t('grid.exportDone', { count: state.rows, number: count(state.rows) })}
        </p>
      )}
      {'fault' in state && (
        <div role="alert" className={css.refusal}>
          <FieldError text={state.fault} />
        </div>
      )}
      <div className={css.buttons}>
        <Button variant={running ? 'default' : 'filled'} onClick={onClose} data-autofocus>
          {t(running ? 'common.cancel' : 'common.done')}
        </Button>
      </div>
    </Modal>
  );
}
