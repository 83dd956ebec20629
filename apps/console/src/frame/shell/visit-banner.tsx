import { Button } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { useAction } from '../../kit/part/use-action.ts';
import { call, remote } from '../../kit/api/call.ts';
import { changeCompany, type Session } from '../../kit/session/session.ts';
import { moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import css from './visit-banner.module.css';

const leave = remote('leaveChannel', 'POST /api/f/auth/channel/leave');

/**
 * Shows the visited company, the end of the visit, and the way back (CHN-07), above every page, so that users do not
 * mistake it for their own company.
 */
export default function VisitBanner({ visit }: { visit: NonNullable<Session['visit']> }) {
  const { t } = useText();
  const { busy, run } = useAction();
  // A visit that is already over is left too: the next token ends it.
  const back = () =>
    run(() => changeCompany('/channel/boundChannelList', () => call(leave, {}, { quiet: true }).catch(() => {})));
  return (
    <section className={css.banner} aria-label={t('supportAccess.visit')}>
      <IconLifebuoy size={16} stroke={1.75} aria-hidden />
      <span className={css.text}>
        {t('supportAccess.visiting', {
          customer: visit.customer,
          allowedBy: visit.allowedBy,
          time: moment(visit.until),
        })}
      </span>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void back()}>
        {t('supportAccess.leave')}
      </Button>
    </section>
  );
}
