import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconLifebuoy } from '@tabler/icons-react';
import { call, remote } from '../../kit/session/call.ts';
import { changeCompany, type Session } from '../../kit/session/session.ts';
import { moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import css from './visit-banner.module.css';

const leave = remote('leaveChannel', 'POST /api/f/auth/channel/leave');

/** In whose company one is, until when, and the way back (CHN-07): above every page, so that nobody takes it for theirs. */
export default function VisitBanner({ visit }: { visit: NonNullable<Session['visit']> }) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const back = async () => {
    setBusy(true);
    // One that is over already is left as well: the next token says so.
    await changeCompany('/channel/boundChannelList', () => call(leave, {}, { quiet: true }).catch(() => {}));
  };
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
