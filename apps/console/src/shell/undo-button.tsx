import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useText } from '../text/use-text.ts';
import { told, type Undo } from './told.ts';
import css from './toasts.module.css';

const shownMs = 10_000;
const lookMs = 500;
/** Of those that are shown the key takes back the newest. */
const shown: string[] = [];

/** Takes back what was just done, by pointer, by Tab or by Ctrl+Z. Whoever is about to press it has the time for it (WCAG 2.2.1). */
export default function UndoButton({ undo, id }: { undo: Undo; id: string }) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const left = useRef(shownMs);
  const run = () => {
    if (busy) return;
    setBusy(true);
    undo.run().then((word) => { notifications.hide(id); told('success', word); }, () => notifications.hide(id));
  };
  useHotkeys([['mod+Z', () => { if (shown.at(-1) === id) run(); }]]);
  useEffect(() => {
    shown.push(id);
    // What opened the dialog is gone with the row it stood in: without this the focus were nowhere.
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    const clock = setInterval(() => {
      const toast = button.current?.closest('[role=alert]');
      if (toast?.matches(':hover') || button.current?.matches(':focus-visible')) return;
      left.current -= lookMs;
      if (left.current <= 0) notifications.hide(id);
    }, lookMs);
    return () => { clearInterval(clock); shown.splice(shown.indexOf(id), 1); };
  }, [id]);
  return <Button ref={button} variant="subtle" size="xs" className={css.undo} loading={busy} aria-keyshortcuts="Control+Z Meta+Z" onClick={run}>{t('undo.undo')}</Button>;
}
