import { lazy, useEffect, useRef } from 'react';
import { Notifications, notifications } from '@mantine/notifications';
import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import { Late } from '../../kit/part/late.tsx';
import type { CallError } from '../../kit/session/call.ts';
import { pageTexts } from '../../kit/text/text.ts';
import { useText } from '../../kit/text/use-text.ts';
import type { Word } from '../../kit/part/told.ts';
import css from './toasts.module.css';

const UndoButton = lazy(() => pageTexts().then(() => import('./undo-button.tsx')));

/** Refusals that may still be in sight. */
const refusals = new Set<string>();
function hideRefusals(): void {
  for (const id of refusals) notifications.hide(id);
  refusals.clear();
}

/**
 * A refusal that no page showed itself, as a red toast (SHELL-16) until it is closed, its page is left, or something
 * was done after it. The same one is not shown twice.
 */
export default function Toasts({
  troubles,
  words,
  page,
}: {
  troubles: readonly CallError[];
  words: readonly Word[];
  /** The page that is shown. */
  page: string;
}) {
  const { t } = useText();
  const shown = useRef(new WeakSet<CallError>());
  const said = useRef(0);
  useEffect(() => hideRefusals, [page]);
  useEffect(() => {
    if (words.length > said.current) hideRefusals();
    for (const e of troubles.filter((one) => !shown.current.has(one))) {
      shown.current.add(e);
      const id = `${e.error} ${e.message}`;
      refusals.add(id);
      notifications.show({
        id,
        'data-refused': true,
        icon: <IconCircleXFilled size={16} aria-hidden />,
        autoClose: false,
        title: e.message || t('common.unknownError'),
        message: e.requestId && t('common.request', { id: e.requestId }),
        closeButtonProps: { 'aria-label': t('common.close') },
      });
    }
    for (const [n, { title, undo }] of [...words.entries()].slice(said.current))
      notifications.show({
        id: `word ${n}`,
        title,
        message: undo ? (
          <Late>
            <UndoButton undo={undo} id={`word ${n}`} />
          </Late>
        ) : null,
        autoClose: undo ? false : 5_000,
        icon: <IconCircleCheckFilled size={16} aria-hidden />,
        closeButtonProps: { 'aria-label': t('common.close') },
      });
    said.current = words.length;
  }, [troubles, words, t]);
  return <Notifications className={css.toasts} position="bottom-right" limit={3} containerWidth={380} />;
}
