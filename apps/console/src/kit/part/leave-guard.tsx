import { useCallback, useEffect, useState } from 'react';
import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { guardLeaving } from '../session/tabs.ts';
import { useText } from '../text/use-text.ts';
import css from './dialog.module.css';

/**
 * Asks before a page is left by a link, by Back or by closing its tab, while `when` says that input would be lost. For
 * a reload the browser shows its own dialog.
 */
export function LeaveGuard({ when }: { when: boolean }) {
  const { t } = useText();
  const [answer, setAnswer] = useState<(leave: boolean) => void>();
  const ask = useCallback(
    () =>
      new Promise<boolean>((resolve) => {
        setAnswer((before: ((leave: boolean) => void) | undefined) => {
          before?.(false);
          return (leave: boolean) => {
            setAnswer(undefined);
            resolve(leave);
          };
        });
      }),
    [],
  );
  useBlocker({ shouldBlockFn: async () => !(await ask()), enableBeforeUnload: when, disabled: !when });
  useEffect(() => (when ? guardLeaving(ask) : undefined), [when, ask]);
  // The input was saved meanwhile.
  useEffect(() => {
    if (!when) answer?.(true);
  }, [when, answer]);
  return (
    <Modal
      opened={answer !== undefined}
      onClose={() => answer?.(false)}
      title={t('form.leave')}
      withCloseButton={false}
    >
      <p className={css.effect}>{t('form.leaveText')}</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={() => answer?.(false)} data-autofocus>
          {t('form.stay')}
        </Button>
        <Button color="danger" onClick={() => answer?.(true)}>
          {t('form.discard')}
        </Button>
      </div>
    </Modal>
  );
}
