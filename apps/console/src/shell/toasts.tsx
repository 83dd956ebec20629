import { useEffect, useRef } from 'react';
import { Notifications, notifications } from '@mantine/notifications';
import type { CallError } from '../session/call.ts';
import { useText } from '../text/use-text.ts';

/** A refusal that no page showed itself, as a red toast until it is closed (SHELL-16). The same one is not shown twice. */
export default function Toasts({ troubles }: { troubles: readonly CallError[] }) {
  const { t } = useText();
  const told = useRef(new WeakSet<CallError>());
  useEffect(() => {
    for (const e of troubles.filter((one) => !told.current.has(one))) {
      told.current.add(e);
      notifications.show({ id: `${e.error} ${e.message}`, color: 'danger', autoClose: false, title: e.message || t('common.unknownError'), message: e.requestId && t('common.request', { id: e.requestId }), closeButtonProps: { 'aria-label': t('common.close') } });
    }
  }, [troubles, t]);
  return <Notifications position="bottom-right" limit={3} containerWidth={380} />;
}
