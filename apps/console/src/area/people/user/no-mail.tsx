import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './no-mail.module.css';

/** Explains why activation by email is not available, with a link to its setting for users who may change it. */
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
