import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { moment } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { companyKeyQuery, goesOn, keysOf, renewCompanyKey, type CompanyKey, type KeyOf } from './company-key.calls.ts';
import css from '../../../kit/part/security.module.css';
import own from './company-key-page.module.css';

/** Shows the keys that encrypt the company's secrets, and changes them. */
export function CompanyKeyPage() {
  const { t } = useText();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('menu.companyKey')}</h1>
      </header>
      <div className={css.body}>
        <p>{t('companyKey.lead')}</p>
        {keysOf.map((purpose) => (
          <OneKey key={purpose} purpose={purpose} />
        ))}
      </div>
    </div>
  );
}

function OneKey({ purpose }: { purpose: KeyOf }) {
  const { t } = useText();
  const access = useAccess();
  const client = useQueryClient();
  const { data } = useQuery(companyKeyQuery(purpose));
  const [asks, setAsks] = useState(false);
  const name = t(`companyKey.${purpose}`);
  return (
    <section className={css.box} aria-labelledby={`key-${purpose}`} aria-busy={data === undefined || undefined}>
      <div className={css.title}>
        <h2 id={`key-${purpose}`}>{name}</h2>
        {data && access.can('renewCompanyKey') && (
          <Button
            variant="default"
            aria-label={t('companyKey.changeOne', { name })}
            disabled={data.madeAt === null || goesOn(data)}
            onClick={() => setAsks(true)}
          >
            {t('companyKey.change')}
          </Button>
        )}
      </div>
      <p className={css.lead}>{t(`companyKey.${purpose}What`)}</p>
      {data && <HowFar of={data} name={name} />}
      {asks && (
        <AskDialog
          title={t('companyKey.changeOne', { name })}
          text={t('companyKey.changeText')}
          confirm={t('companyKey.change')}
          onConfirm={async () => {
            client.setQueryData(companyKeyQuery(purpose).queryKey, await renewCompanyKey(purpose));
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </section>
  );
}

function HowFar({ of: { madeAt, renewal }, name }: { of: CompanyKey; name: string }) {
  const { t } = useText();
  if (madeAt === null) return <p role="status">{t('companyKey.none')}</p>;
  const going = renewal?.status === 'process';
  // The total is counted once the new key exists.
  const counted = going && renewal.total > 0;
  return (
    <div className={own.state}>
      <p>{t('companyKey.made', { when: moment(madeAt) })}</p>
      {counted && <progress className={own.bar} value={renewal.done} max={renewal.total} aria-label={name} />}
      <p role="status" className={own.note}>
        {renewal === null
          ? t('companyKey.never')
          : going
            ? counted
              ? t('companyKey.process', { done: count(renewal.done), total: count(renewal.total) })
              : t('companyKey.begin')
            : renewal.status === 'partly'
              ? t('companyKey.partly', { count: renewal.failed, number: count(renewal.failed) })
              : t(`companyKey.state.${renewal.status as 'waiting' | 'done'}`, { when: moment(renewal.endedAt) })}
      </p>
    </div>
  );
}
