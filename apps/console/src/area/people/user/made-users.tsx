import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../../../kit/part/copy.tsx';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { LastMail } from '../mail/last-mail.tsx';
import { FirstLogin } from './first-login.tsx';
import css from '../../../kit/part/form-page.module.css';
import own from './several-users.module.css';

await systemTexts();

export interface MadeUser {
  id: string;
  username: string;
  email: string | null;
  /** The temporary password of an account that is activated by it. */
  password: string;
}

/** The state of each mail is followed for up to this many users. */
const mostFollowed = 10;

/** Shows the added users: temporary passwords this once, and the state of each mail. */
export function MadeUsers({ users }: { users: readonly MadeUser[] }) {
  const { t } = useText();
  const withPassword = users.filter((u) => u.password !== '');
  const address = `${location.origin}/system/activeUser`;
  const [only] = users;
  if (users.length === 1 && only) {
    if (only.password !== '') return <FirstLogin username={only.username} password={only.password} />;
    return (
      <>
        <p>{t('user.mailed', { email: only.email ?? '' })}</p>
        <LastMail id={only.id} before={null} />
      </>
    );
  }
  return (
    <>
      {withPassword.length > 0 && (
        <p>
          {t('severalUsers.tell', { address })}{' '}
          <CopyButton
            value={withPassword.map((u) => [address, u.username, u.password].join('\t')).join('\n')}
            label={t('severalUsers.copyAll')}
          />
        </p>
      )}
      <ul className={own.made}>
        {users.map((u) => (
          <li key={u.id} data-made={u.username}>
            <strong>{u.username}</strong>
            {u.password === '' ? (
              <>
                <span>{u.email}</span>
                {users.length <= mostFollowed && <LastMail id={u.id} before={null} />}
              </>
            ) : (
              <span>
                <code>{u.password}</code> <CopyButton value={u.password} label={t('user.firstPassword')} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The page after the form: what the new users need to know, and the next steps. */
export function MadeUsersPage({ users, onAgain }: { users: readonly MadeUser[]; onAgain: () => void }) {
  const { t } = useText();
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>
          {users.length === 1
            ? t('user.added', { name: users[0]!.username })
            : t('severalUsers.added', { count: users.length })}
        </h1>
      </header>
      <div className={css.body}>
        <MadeUsers users={users} />
      </div>
      <footer className={css.foot}>
        <Button variant="default" onClick={onAgain}>
          {t('user.addAnother')}
        </Button>
        <Button component={Link} to="/system/users" search={{} as never}>
          {t('common.done')}
        </Button>
      </footer>
    </div>
  );
}
