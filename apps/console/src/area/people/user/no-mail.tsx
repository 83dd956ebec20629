import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/session/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './no-mail.module.css';

/** Why nobody is activated by email here, and where whoever may changes that. */
export function NoMail() {
  const { t } = useText();
  const access = useAccess();
  return (
    <p role="note" className={css.note}>
      {t('user.noMail')}{' '}
      {access.can('editConfig') && (
        <Link to="/system/config" search={{ tab: 'mail' } as never}>
          {t('user.setUpMail')}
        </Link>
      )}
    </p>
  );
}
