import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { severalCountQuery } from './sip-account.calls.ts';
import css from './several-note.module.css';

/** Warns how many accounts are on more than one line, with a link to them; empty when none is. */
export function SeveralNote({ isFcs }: { isFcs: boolean }) {
  const { t } = useText();
  const total = useQuery(severalCountQuery(isFcs)).data ?? 0;
  if (total === 0) return null;
  return (
    <div className={css.note} role="note">
      <IconAlertTriangleFilled size={14} aria-hidden />
      <span>{t('sipAccount.severalNote', { count: total, number: count(total) })}</span>
      <Link to="/account/sip/sipAccount" search={{ several: 'true', ...(isFcs ? { kind: 'fcs' } : {}) } as never}>
        {t('sipAccount.severalShow')}
      </Link>
    </div>
  );
}
