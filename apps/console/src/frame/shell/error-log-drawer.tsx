import { Button, Drawer } from '@mantine/core';
import { useText } from '../../kit/text/use-text.ts';
import { useErrorLog } from '../../kit/browser/error-log.ts';
import { reportErrors } from '../../kit/api/report-errors.ts';
import { moment } from '../../kit/text/time.ts';
import { useAction } from '../../kit/part/use-action.ts';
import { showToast } from '../../kit/part/toast.ts';
import css from './error-log-drawer.module.css';

/** Shows the errors of this browser and reports them on request (SHELL-13). */
export default function ErrorLogDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  const entries = useErrorLog();
  const { busy, run } = useAction();
  const send = () =>
    run(async () => {
      if (!(await reportErrors())) return;
      showToast(t('errorLog.sent'));
      onClose();
    });
  return (
    <Drawer
      opened
      onClose={onClose}
      size={760}
      title={t('errorLog.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p className={css.text}>{t('errorLog.text')}</p>
      <ul className={css.list}>
        {entries.toReversed().map((e) => (
          <li key={`${e.time} ${e.message}`}>
            <p className={css.head}>
              <strong>{e.message}</strong>
              <span>{moment(e.time)}</span>
            </p>
            <p className={css.where}>
              <code>{e.type}</code> <code>{e.url}</code> {e.info}
            </p>
            {e.stack && (
              <details>
                <summary>{t('errorLog.stack')}</summary>
                <pre tabIndex={0} role="group" aria-label={t('errorLog.stack')}>
                  {e.stack}
                </pre>
              </details>
            )}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className={css.text}>{t('errorLog.none')}</p>}
      <div className={css.foot}>
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
        {entries.length > 0 && (
          <Button loading={busy} onClick={() => void send()}>
            {t('errorLog.send')}
          </Button>
        )}
      </div>
    </Drawer>
  );
}
