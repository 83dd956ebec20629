import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { restoreMinutes } from '@carillon/contracts/undo';
import { FieldError } from '../../kit/part/field-error.tsx';
import { refusalOf, type Refusal } from '../../kit/part/refusal.ts';
import { isCallError } from '../../kit/api/call.ts';
import { useText } from '../../kit/text/use-text.ts';
import { showToast, type Undo } from '../../kit/part/toast.ts';
import css from './toasts.module.css';

const shownMs = 10_000;
const lookMs = 500;
/** Ids of the shown undo buttons: the shortcut uses the newest. */
const shown: string[] = [];
/** Returns whether a retry is useless: `common.restoreOver`, `device.restoreOver`. */
const isOver = (error: string | undefined) => error?.endsWith('.restoreOver') === true;

/**
 * Undoes the last action, by pointer, Tab or Ctrl+Z. Its time does not run out while the user is about to press it
 * (WCAG 2.2.1). A failed try shows its reason and can be repeated for as long as the deletion can be undone.
 */
export default function UndoButton({ undo, id }: { undo: Undo; id: string }) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<Refusal & { last: boolean }>();
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const left = useRef(shownMs);
  const end = useRef(Date.now() + restoreMinutes * 60_000);
  const run = () => {
    if (busy || fault?.last) return;
    setBusy(true);
    setFault(undefined);
    undo.run().then(
      (word) => {
        notifications.hide(id);
        showToast(word);
      },
      (e: unknown) => {
        const last = isCallError(e) && isOver(e.error);
        left.current = last ? shownMs : Number.POSITIVE_INFINITY;
        setFault({ ...refusalOf(e), last });
        setBusy(false);
      },
    );
  };
  useHotkeys([
    [
      'mod+Z',
      () => {
        if (shown.at(-1) === id) run();
      },
    ],
  ]);
  // A disabled button loses the focus.
  useEffect(() => {
    if (fault && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [fault]);
  useEffect(() => {
    shown.push(id);
    // The row that opened the dialog is gone: without this nothing would have the focus.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    const clock = setInterval(() => {
      if (Date.now() >= end.current) return notifications.hide(id);
      const toast = place.current?.closest('[role=alert]');
      if (toast?.matches(':hover') || button.current?.matches(':focus-visible')) return;
      left.current -= lookMs;
      if (left.current <= 0) notifications.hide(id);
    }, lookMs);
    return () => {
      clearInterval(clock);
      shown.splice(shown.indexOf(id), 1);
    };
  }, [id]);
  return (
    <div ref={place}>
      {fault && (
        <p className={css.fault}>
          <FieldError text={fault.text} />
        </p>
      )}
      {fault?.requestId && <p className={css.request}>{t('common.request', { id: fault.requestId })}</p>}
      {!fault?.last && (
        <Button
          ref={button}
          variant="subtle"
          size="xs"
          className={css.undo}
          loading={busy}
          aria-keyshortcuts="Control+Z Meta+Z"
          onClick={run}
        >
          {t('undo.undo')}
        </Button>
      )}
    </div>
  );
}
