import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { redirectKinds } from '@carillon/contracts/redirect';
import { Failed } from '../../../kit/grid/states.tsx';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { count, pageTexts } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteRedirectService, redirectServicesQuery, type RedirectService } from './redirect-service.calls.ts';
import css from '../../../kit/part/security.module.css';
import own from './redirect-service.module.css';

await pageTexts();

const RedirectServiceDialog = lazy(() => import('./redirect-service-dialog.tsx'));
const FailedDevices = lazy(() => import('./failed-devices.tsx'));

/** Shows the company's accounts at makers' redirect services, and how far each has been told of devices (EDGE-09). */
export function RedirectServicePage() {
  const { t } = useText();
  const { can } = useAccess();
  const [adding, setAdding] = useState(false);
  const found = useQuery(redirectServicesQuery());
  const { server, services } = found.data ?? { server: null, services: [] };
  const taken = new Set<string>(services.map(({ kind }) => redirectKinds[kind].maker));
  const isFull = Object.values(redirectKinds).every(({ maker }) => taken.has(maker));
  const add = found.data && can('editRedirectService') && !isFull && (
    <Button leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />} onClick={() => setAdding(true)}>
      {t('redirectService.add')}
    </Button>
  );
  return (
    <div className={css.page}>
      <header className={`${css.head} ${own.head}`}>
        <h1>{t('menu.redirectService')}</h1>
        {services.length > 0 && add}
      </header>
      <div className={css.body} aria-busy={found.isPending || undefined}>
        <p id="redirect-lead">{t('redirectService.lead')}</p>
        {found.isError && !found.data && (
          <Failed text={t('redirectService.failed')} error={found.error} onRetry={() => void found.refetch()} />
        )}
        {found.data &&
          (server === null ? (
            <p role="status">{t('redirectService.noServer')}</p>
          ) : (
            <p className={own.server}>
              {t('redirectService.server')} <code>{server}</code>
              <CopyButton value={server} label={t('redirectService.server')} />
            </p>
          ))}
        {found.data && services.length === 0 && (
          <section className={css.box} aria-labelledby="redirect-none">
            <h2 id="redirect-none">{t('redirectService.none')}</h2>
            <p className={css.lead}>{t('redirectService.noneText')}</p>
            {add && <div>{add}</div>}
          </section>
        )}
        {services.map((service) => (
          <Service key={service.id} service={service} />
        ))}
      </div>
      {adding && <RedirectServiceDialog service={undefined} taken={taken} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Service({ service }: { service: RedirectService }) {
  const { t } = useText();
  const { can } = useAccess();
  const [open, setOpen] = useState<'edit' | 'delete' | 'failed'>();
  const { id, kind, address, userName, enabled, devices, failure, retryAt } = service;
  const name = redirectKinds[kind].label;
  const button = (what: 'edit' | 'delete') => (
    <Button
      variant="default"
      aria-label={t(`redirectService.${what}One`, { name })}
      {...(what === 'delete' ? { 'data-danger': true } : {})}
      onClick={() => setOpen(what)}
    >
      {t(`common.${what}`)}
    </Button>
  );
  const close = () => setOpen(undefined);
  return (
    <section className={css.box} aria-labelledby={`redirect-${id}`}>
      <div className={css.title}>
        <h2 id={`redirect-${id}`}>{name}</h2>
        {can('editRedirectService') && (
          <div className={own.buttons}>
            {button('edit')}
            {button('delete')}
          </div>
        )}
      </div>
      <p className={css.lead}>
        {userName} · {address}
      </p>
      <p role="status">
        {t(enabled ? 'redirectService.counts' : 'redirectService.disabled', {
          registered: count(devices.registered),
          waiting: count(devices.waiting),
        })}
      </p>
      {failure && enabled && (
        <p className={css.error} role="alert">
          {t('redirectService.failing', { when: moment(failure.since), reason: failure.msg })}{' '}
          {retryAt === null ? t('redirectService.stopped') : t('redirectService.retryAt', { when: moment(retryAt) })}
        </p>
      )}
      {devices.failed > 0 && (
        <div>
          <Button variant="default" size="xs" onClick={() => setOpen('failed')}>
            {t('redirectService.showFailed', { count: devices.failed, number: count(devices.failed) })}
          </Button>
        </div>
      )}
      {open === 'edit' && <RedirectServiceDialog service={service} taken={new Set()} onClose={close} />}
      {open === 'failed' && <FailedDevices service={service} onClose={close} />}
      {open === 'delete' && <Delete service={service} name={name} onClose={close} />}
    </section>
  );
}

function Delete({ service, name, onClose }: { service: RedirectService; name: string; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { registered } = service.devices;
  return (
    <AskDialog
      title={t('redirectService.deleteOne', { name })}
      text={t('redirectService.deleteText', { count: registered, number: count(registered) })}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await call(deleteRedirectService, { query: { id: service.id } });
        await client.invalidateQueries({ queryKey: ['redirectService'] });
        await done('deleted', { name });
      }}
    />
  );
}
