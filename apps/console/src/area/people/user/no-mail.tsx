import { Alert } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/session/access.ts';
import { useText } from '../../../kit/text/use-text.ts';

/** Why nobody is activated by email here, and where whoever may changes that. */
export function NoMail() {
  const { t } = useText();
  const access = useAccess();
  return (
    <Alert role="note" color="gray">
      {t('user.noMail')}{' '}
      {access.can('editConfig') && (
        <Link to="/system/config" search={{ tab: 'mail' } as never}>
          {t('user.setUpMail')}
        </Link>
      )}
    </Alert>
  );
}
