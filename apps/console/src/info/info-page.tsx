import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../text/use-text.ts';
import { Facts } from '../part/facts.tsx';
import { useUser } from '../session/access.ts';
import { moment } from '../text/time.ts';
import { SecondSteps } from './second-steps.tsx';
import { Sessions } from './sessions.tsx';
import css from './info-page.module.css';

/** /info: who one is here, how one logs in, and where one is logged in (spec, section 2; AUTH-18). */
export function InfoPage() {
  const { t } = useText();
  const { data: user } = useUser();
  return (
    <div className={css.page}>
      <header className={css.head}><h1>{t('info.title')}</h1></header>
      <div className={css.body}>
        <section className={css.box} aria-labelledby="info-basic">
          <div className={css.title}><h2 id="info-basic">{t('info.basic')}</h2><Button component={Link} to="/resetPassword" variant="default" size="compact-sm">{t('password.change')}</Button></div>
          {user && <Facts items={[
            [t('info.username'), user.username], [t('info.nickname'), user.nickname], [t('info.email'), user.email], [t('info.company'), user.companyName || null], [t('info.roles'), user.roles.join(', ') || null],
            [t('info.lastLogin'), user.lastLoginAt === null ? null : moment(user.lastLoginAt)],
          ]} />}
        </section>
        <SecondSteps />
        <Sessions />
      </div>
    </div>
  );
}
