import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { closeAccess, firstAccessQuery, letPhonesIn, openAccess } from './first-access.calls.ts';
import { Asked } from './asked.tsx';
import { useChange } from './use-change.ts';
import css from './first-access.module.css';

/** Shows whether a phone with the device's MAC gets its configuration, and lets in one that waits (EDGE-02). */
export function FirstAccess({ id }: { id: string }) {
  const { t } = useText();
  const { data } = useQuery(firstAccessQuery(id));
  const mayChange = useAccess().can('renewDeviceSecret');
  const { refusal, busy, change } = useChange();
  if (!data) return null;
  const { server, openUntil, network, endedAt, asks } = data;
  const button = (name: 'open' | 'close', run: () => Promise<unknown>) => (
    <Button
      variant="default"
      size="xs"
      loading={busy === name}
      disabled={busy !== undefined}
      onClick={() => void change(name, run)}
    >
      {t(`firstAccess.${name}`)}
    </Button>
  );
  return (
    <section className={css.part} aria-label={t('firstAccess.title')}>
      <h3>{t('firstAccess.title')}</h3>
      <p className={css.state} role="status">
        {openUntil !== null
          ? network === null
            ? t('firstAccess.openUntil', { when: moment(openUntil) })
            : t('firstAccess.letInUntil', { when: moment(openUntil), network })
          : endedAt !== null
            ? t('firstAccess.ended', { when: moment(endedAt) })
            : t('firstAccess.closed')}
      </p>
      {asks.length > 0 && (
        <>
          <p className={css.state}>{t('firstAccess.waits')}</p>
          <ul className={css.list}>
            {asks.map((ask) => (
              <li key={ask.id}>
                <Asked ask={ask} />
                {mayChange && (
                  <Button
                    variant="default"
                    size="xs"
                    loading={busy === ask.id}
                    disabled={busy !== undefined}
                    aria-label={t('firstAccess.letInFrom', { address: ask.address })}
                    onClick={() => void change(ask.id, () => letPhonesIn([ask.id]))}
                  >
                    {t('firstAccess.letIn')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {server !== null && endedAt === null && (
        <p className={css.server}>
          {t('firstAccess.server')} <code>{server}</code>
          <CopyButton value={server} label={t('firstAccess.server')} />
        </p>
      )}
      {mayChange && (
        <div className={css.buttons}>
          {openUntil === null ? button('open', () => openAccess([id])) : button('close', () => closeAccess(id))}
        </div>
      )}
      <RefusalBox refusal={refusal} />
    </section>
  );
}
