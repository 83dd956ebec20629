import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import type { StepTask } from './step-dialog.tsx';
import css from '../../../kit/part/security.module.css';

const steps = remote('getSecondSteps', 'GET /api/f/auth/secondStep');
const StepDialog = lazy(() => import('./step-dialog.tsx'));

/** Manages second steps: an app, passkeys, recovery codes, or the company's mail (AUTH-18). */
export function SecondSteps() {
  const { t } = useText();
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: ['secondStep'], queryFn: ({ signal }) => call(steps, {}, { signal }) });
  const [task, setTask] = useState<StepTask>();
  const own = data !== undefined && (data.totp || data.passkeys.length > 0);
  return (
    <section className={css.box} aria-labelledby="info-second">
      <div className={css.title}>
        <h2 id="info-second">{t('step.title')}</h2>
      </div>
      <p className={css.lead}>{t(own ? 'step.own' : data?.company ? 'step.company' : 'step.none')}</p>
      <ul className={css.list} aria-busy={data === undefined || undefined}>
        <li>
          <div className={css.what}>
            <strong>
              {t('step.app')}
              {data?.totp && <span className={css.own}>{t('step.on')}</span>}
            </strong>
            <small>{t('step.appText')}</small>
          </div>
          {data && (
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => setTask({ kind: data.totp ? 'removeApp' : 'addApp' })}
            >
              {t(data.totp ? 'step.removeApp' : 'step.addApp')}
            </Button>
          )}
        </li>
        <li>
          <div className={css.what}>
            <strong>{t('step.passkeys')}</strong>
            <small>{t('step.passkeyText')}</small>
          </div>
          {data && (
            <Button variant="default" size="compact-sm" onClick={() => setTask({ kind: 'addPasskey' })}>
              {t('step.addPasskey')}
            </Button>
          )}
        </li>
        {data?.passkeys.map((k) => (
          <li key={k.id}>
            <div className={css.what}>
              <strong>{k.name}</strong>
              <small>
                {k.lastUsedAt === null
                  ? t('step.added', { when: moment(k.createdAt) })
                  : t('step.used', { when: moment(k.lastUsedAt) })}
              </small>
            </div>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('step.removeOne', { name: k.name })}
              onClick={() => setTask({ kind: 'removePasskey', id: k.id, name: k.name })}
            >
              {t('step.remove')}
            </Button>
          </li>
        ))}
        {own && (
          <li>
            <div className={css.what}>
              <strong>{t('step.recovery')}</strong>
              <small>{t('step.recoveryLeft', { count: data.recoveryCodes })}</small>
            </div>
            <Button variant="default" size="compact-sm" onClick={() => setTask({ kind: 'renewCodes' })}>
              {t('step.renewCodes')}
            </Button>
          </li>
        )}
      </ul>
      {task && (
        <StepDialog
          task={task}
          onClose={() => {
            setTask(undefined);
            void client.invalidateQueries({ queryKey: ['secondStep'] });
          }}
        />
      )}
    </section>
  );
}
