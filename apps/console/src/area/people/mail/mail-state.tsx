import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/api/access.ts';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { moment } from '../../../kit/text/time.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { LastMail } from './mail.calls.ts';
import state from '../../../kit/part/state.module.css';
import css from './mail-state.module.css';

await systemTexts();

export const mailGlyphs = { waiting: 'wait', sent: 'success', failed: 'fail' } as const;

/**
 * Shows the state of a requested mail: waiting, accepted by the mail server, or refused with its message. `before` is
 * the id of the mail before the one just requested, which counts as waiting until it exists.
 */
export function MailState({ mail, before }: { mail: LastMail | undefined; before?: string | null }) {
  const { t } = useText();
  const access = useAccess();
  if (mail === undefined) return null;
  const isNew = before === undefined || (mail?.id ?? null) !== before;
  if (mail === null && isNew) return <>{t('mailState.none')}</>;
  const status = mail !== null && isNew ? mail.status : 'waiting';
  return (
    <div className={css.mail} role="status" data-mail={status}>
      <span className={state.state} style={status === 'failed' ? { color: 'var(--abnormal)' } : undefined}>
        <StateGlyph state={mailGlyphs[status]} />
        {t(`mailState.${status}`)}
      </span>
      {mail !== null && isNew && (
        <>
          <p>
            {t(`mailState.${mail.template}`)}
            {` · ${moment(mail.endedAt ?? mail.createdAt)}`}
          </p>
          {mail.error === 'mail.notConfigured' && (
            <p>
              {t('mailState.noServer')}{' '}
              {access.can('editConfig') && (
                <Link to="/system/config" search={{ tab: 'mail' } as never}>
                  {t('user.setUpMail')}
                </Link>
              )}
            </p>
          )}
          {mail.error === 'mail.expired' && <p>{t('mailState.expired')}</p>}
          {mail.error === 'mail.sendFailure' && (
            <p>{mail.reason === null ? t('mailState.unreachable') : t('mailState.refused', { reason: mail.reason })}</p>
          )}
          {mail.error === 'mail.sendFailure' && status === 'waiting' && (
            <p>{t('mailState.nextTry', { time: moment(mail.nextAt) })}</p>
          )}
        </>
      )}
    </div>
  );
}
