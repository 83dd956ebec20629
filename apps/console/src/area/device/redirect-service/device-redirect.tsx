import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { redirectKinds } from '@carillon/contracts/redirect';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceRedirectQuery, retryRedirects, type DeviceRedirect as Redirect } from './redirect-service.calls.ts';
import css from './redirect-service.module.css';

/** Shows what the redirect service of its maker knows of a device; nothing without a service (EDGE-09). */
export function DeviceRedirect({ id }: { id: string }) {
  const { t } = useText();
  const client = useQueryClient();
  const { can } = useAccess();
  const { data } = useQuery(deviceRedirectQuery(id));
  const { busy, refusal, run } = useAction();
  if (!data) return null;
  const retry = async () => {
    await run(async () => {
      await call(retryRedirects, { body: { deviceIds: [id] } });
    });
    await client.invalidateQueries({ queryKey: ['device', 'redirect'] });
  };
  return (
    <section className={css.part} aria-label={t('redirectService.title')}>
      <h3>{t('redirectService.title')}</h3>
      <p className={css.state} role="status">
        <State redirect={data} />
      </p>
      {data.msg !== null && data.enabled && can('editRedirectService') && (
        <div>
          <Button variant="default" size="xs" loading={busy} onClick={() => void retry()}>
            {t('redirectService.retry')}
          </Button>
        </div>
      )}
      <RefusalBox refusal={refusal} />
    </section>
  );
}

function State({ redirect: { kind, enabled, state, address, since, msg, retryAt } }: { redirect: Redirect }) {
  const { t } = useText();
  const name = redirectKinds[kind].label;
  const next = retryAt === null ? '' : ` ${t('redirectService.retryAt', { when: moment(retryAt) })}`;
  const reason = msg === null ? '' : ` ${msg}`;
  if (!enabled && state !== 'registered') return t('redirectService.deviceOff', { name });
  if (state === 'registered')
    return t('redirectService.deviceRegistered', { name, address: address ?? '', when: moment(since) });
  if (state === 'waiting') return `${t('redirectService.deviceWaiting', { name })}${reason}`;
  return `${t('redirectService.deviceFailed', { name })}${reason}${next}`;
}
