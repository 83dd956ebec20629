import { useState } from 'react';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useText } from '../../../kit/text/use-text.ts';
import { done } from '../../../kit/part/done.ts';
import { FieldError } from '../../../kit/part/field-error.tsx';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { call, isCallError, remote } from '../../../kit/api/call.ts';
import { moment } from '../../../kit/text/time.ts';
import css from '../../../kit/part/security.module.css';

const list = remote('listSessions', 'GET /api/f/auth/session/list');
const end = remote('endSessions', 'POST /api/f/auth/session/end');

/** Lists the user's sessions, and ends those that are not theirs (AUTH-18). */
export function Sessions() {
  const { t } = useText();
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: ['ownSession'], queryFn: ({ signal }) => call(list, {}, { signal }) });
  const [busy, setBusy] = useState<string>();
  const [failed, setFailed] = useState<string>();
  const others = (data ?? []).filter((s) => !s.current);
  async function stop(which: string, body: { ids: string[] } | { others: true }, name?: string) {
    setBusy(which);
    setFailed(undefined);
    try {
      await call(end, { body });
      await (name === undefined ? done('othersSignedOut') : done('signedOut', { name }));
    } catch (e) {
      const { text } = refusalOf(e);
      // A session that has ended by itself in the meantime just leaves the list.
      if (!(isCallError(e) && e.code === 404)) setFailed(text);
    }
    await client.invalidateQueries({ queryKey: ['ownSession'] });
    setBusy(undefined);
  }
  return (
    <section className={css.box} aria-labelledby="info-sessions">
      <div className={css.title}>
        <h2 id="info-sessions">{t('session.title')}</h2>
        {others.length > 0 && (
          <Button
            variant="default"
            data-danger
            size="compact-sm"
            loading={busy === 'others'}
            onClick={() => void stop('others', { others: true })}
          >
            {t('session.endOthers')}
          </Button>
        )}
      </div>
      {failed !== undefined && (
        <div role="alert" className={css.error}>
          <FieldError text={failed} />
        </div>
      )}
      <ul className={css.list} aria-busy={data === undefined || undefined}>
        {data?.map((s) => (
          <li key={s.id} data-session={s.id}>
            <div className={css.what}>
              <strong>
                {[s.browser, s.system].filter(Boolean).join(' · ') || t('session.unknown')}
                {s.current && <span className={css.own}>{t('session.current')}</span>}
              </strong>
              <small>
                {t('session.seen', {
                  address: s.address ?? '–',
                  when: moment(s.lastSeenAt),
                  since: moment(s.startedAt),
                })}
              </small>
            </div>
            {!s.current && (
              <Button
                variant="default"
                data-danger
                size="compact-sm"
                loading={busy === s.id}
                onClick={() => void stop(s.id, { ids: [s.id] }, s.browser ?? t('session.unknown'))}
                aria-label={t('session.endOne', { name: s.browser ?? t('session.unknown') })}
              >
                {t('session.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
