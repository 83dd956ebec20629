import { Button, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { redirectKinds } from '@carillon/contracts/redirect';
import { Failed } from '../../../kit/grid/states.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { macText, moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { failedDevicesQuery, mostShown, retryRedirects, type RedirectService } from './redirect-service.calls.ts';
import css from '../../../kit/part/security.module.css';
import { useAction } from '../../../kit/part/use-action.ts';

/** Lists the devices that a redirect service did not take, with the reason of each, and tries all of them again. */
export default function FailedDevices({ service, onClose }: { service: RedirectService; onClose: () => void }) {
  const { t } = useText();
  const { can } = useAccess();
  const client = useQueryClient();
  const found = useQuery(failedDevicesQuery(service.id));
  const { busy, refusal, run } = useAction();
  const { records, total } = found.data ?? { records: [], total: 0 };
  const retry = () =>
    run(async () => {
      await call(retryRedirects, { body: { id: service.id } });
      await client.invalidateQueries({ queryKey: ['redirectService'] });
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('redirectService.failedOf', { name: redirectKinds[service.kind].label })}
      size="lg"
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {found.isError && !found.data ? (
        <Failed text={t('redirectService.failed')} error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div aria-busy={found.isPending || undefined}>
          <ul className={css.list}>
            {records.map(({ id, deviceId, name, mac, wanted, msg, retryAt }) => (
              <li key={id}>
                <div className={css.what}>
                  {wanted ? (
                    <Link className="link" to="/device/deviceDetail" search={{ id: deviceId } as never}>
                      {name}
                    </Link>
                  ) : (
                    <strong>{t('redirectService.leaving', { name })}</strong>
                  )}
                  <span className="mono">{macText(mac)}</span>
                  <span>{msg}</span>
                  <small>
                    {retryAt === null
                      ? t('redirectService.stopped')
                      : t('redirectService.retryAt', { when: moment(retryAt) })}
                  </small>
                </div>
              </li>
            ))}
          </ul>
          {total > mostShown && (
            <p className={css.text}>{t('redirectService.more', { number: count(total - records.length) })}</p>
          )}
          <RefusalBox refusal={refusal} />
          {can('editRedirectService') && (
            <div className={css.buttons}>
              <Button loading={busy} disabled={total === 0} onClick={() => void retry()}>
                {t('redirectService.retryAll')}
              </Button>
            </div>
          )}
        </div>
      )}
    </Modal>
  );
}
