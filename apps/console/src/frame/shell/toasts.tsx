import { useEffect, useRef } from 'react';
import { Notifications, notifications } from '@mantine/notifications';
import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import { lazy } from '../../kit/part/lazy.tsx';
import { pageTexts } from '../../kit/text/text.ts';
import { useText } from '../../kit/text/use-text.ts';
import type { Trouble, Word } from '../../kit/part/toast.ts';
import css from './toasts.module.css';

const UndoButton = lazy(() => pageTexts().then(() => import('./undo-button.tsx')));

const idOf = ({ error }: Trouble): string => `${error.error} ${error.message}`;

/**
 * Shows errors that no page showed itself as red toasts (SHELL-16), until they are closed or resolved. The same error
 * is not shown twice.
 */
export default function Toasts({ troubles, words }: { troubles: readonly Trouble[]; words: readonly Word[] }) {
  const { t } = useText();
  const before = useRef<readonly Trouble[]>([]);
  const said = useRef(0);
  useEffect(() => {
    const ids = new Set(troubles.map(idOf));
    for (const id of before.current.map(idOf)) if (!ids.has(id)) notifications.hide(id);
    for (const one of troubles.filter((trouble) => !before.current.includes(trouble))) {
      const { error: e } = one;
      const id = idOf(one);
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
    before.current = troubles;
    for (const [n, { title, undo }] of [...words.entries()].slice(said.current))
      notifications.show({
        id: `word ${n}`,
        title,
        message: undo ? <UndoButton undo={undo} id={`word ${n}`} /> : null,
        autoClose: undo ? false : 5_000,
        icon: <IconCircleCheckFilled size={16} aria-hidden />,
        closeButtonProps: { 'aria-label': t('common.close') },
      });
    said.current = words.length;
  }, [troubles, words, t]);
  return <Notifications className={css.toasts} position="bottom-right" limit={3} containerWidth={380} />;
}
