import { useEffect, useRef } from 'react';
import { Notifications, notifications } from '@mantine/notifications';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import type { CallError } from '../session/call.ts';
import { useText } from '../text/use-text.ts';

/** A refusal that no page showed itself, as a red toast until it is closed (SHELL-16). The same one is not shown twice. */
export default function Toasts({ troubles, words }: { troubles: readonly CallError[]; words: readonly string[] }) {
  const { t } = useText();
  const shown = useRef(new WeakSet<CallError>());
  const said = useRef(0);
  useEffect(() => {
    for (const e of troubles.filter((one) => !shown.current.has(one))) {
      shown.current.add(e);
      notifications.show({ id: `${e.error} ${e.message}`, color: 'danger', autoClose: false, title: e.message || t('common.unknownError'), message: e.requestId && t('common.request', { id: e.requestId }), closeButtonProps: { 'aria-label': t('common.close') } });
    }
    for (const title of words.slice(said.current)) notifications.show({ title, message: null, autoClose: 5_000, icon: <IconCircleCheckFilled size={16} aria-hidden />, closeButtonProps: { 'aria-label': t('common.close') } });
    said.current = words.length;
  }, [troubles, words, t]);
  return <Notifications position="bottom-right" limit={3} containerWidth={380} />;
}
