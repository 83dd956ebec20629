import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { restoreMinutes } from '@carillon/contracts/undo';
import { FieldError } from '../../kit/part/field-error.tsx';
import { refusalOf, type Refusal } from '../../kit/part/refusal.ts';
import { isCallError } from '../../kit/session/call.ts';
import { useText } from '../../kit/text/use-text.ts';
import { told, type Undo } from '../../kit/part/told.ts';
import css from './toasts.module.css';

const shownMs = 10_000;
const lookMs = 500;
/** Of those that are shown the key takes back the newest. */
const shown: string[] = [];
/** After this a second try would say the same: `common.restoreOver`, `device.restoreOver`. */
const isOver = (error: string | undefined) => error?.endsWith('.restoreOver') === true;

/**
 * Takes back what was just done, by pointer, by Tab or by Ctrl+Z. Whoever is about to press it has the time for it
 * (WCAG
 * 2.2.1). A try that failed says why and leaves the way for another one, for as long as the deletion can be taken back.
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
        told(word);
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
  // A button that is busy cannot hold the focus.
  useEffect(() => {
    if (fault && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [fault]);
  useEffect(() => {
    shown.push(id);
    // What opened the dialog is gone with the row it stood in: without this the focus were nowhere.
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
