import { useQuery } from '@tanstack/react-query';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { mailStatusQuery } from './mail.calls.ts';
import { mailGlyphs } from './mail-state.tsx';
import state from '../../../kit/part/state.module.css';
import css from './mail-state.module.css';

await systemTexts();

/** Shows whether a mail to a user of another company was sent; of such a mail only the id is known. */
export function MailSending({ id }: { id: string }) {
  const { t } = useText();
  const mail = useQuery(mailStatusQuery(id)).data;
  if (mail === undefined) return null;
  return (
    <div className={css.mail} role="status" data-mail={mail.status}>
      <span className={state.state} style={mail.status === 'failed' ? { color: 'var(--abnormal)' } : undefined}>
        <StateGlyph state={mailGlyphs[mail.status]} />
        {t(`mailState.${mail.status}`)}
      </span>
      {mail.retrying && <p>{t('mailState.retrying')}</p>}
      {mail.status === 'failed' && <p>{t('mailState.rejected')}</p>}
    </div>
  );
}
