import { Button, Modal } from '@mantine/core';
import { call, remote } from '../../kit/api/call.ts';
import { reportErrors } from '../../kit/api/report-errors.ts';
import { endSession } from '../../kit/session/session.ts';
import { useText } from '../../kit/text/use-text.ts';
import css from './shell.module.css';

const logout = remote('logout', 'GET /api/f/auth/oauth/logout');

export default function LogoutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText();
  return (
    <Modal opened onClose={onClose} title={t('shell.logoutTitle')} withCloseButton={false}>
      <p className={css.text}>{t('shell.logoutText')}</p>
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          data-autofocus
          onClick={() =>
            // Report the recorded errors first, because nobody could report them later.
            void reportErrors({ quiet: true })
              .then(() => call(logout))
              .catch(() => {})
              .then(endSession)
          }
        >
          {t('shell.logout')}
        </Button>
      </div>
    </Modal>
  );
}
