import { Link } from '@tanstack/react-router';
import type { UserRecord } from '@carillon/contracts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from './account-type-counts.module.css';

export const accountTypes = ['super', 'channel', 'ordinary'] as const satisfies readonly UserRecord['accountType'][];

/** Shows the number of users of each account type with links to them (USER-03). */
export function AccountTypeCounts({ counts }: { counts: Readonly<Record<string, number>> }) {
  const { t } = useText();
  return (
    <ul className={css.counts} aria-label={t('user.type')}>
      {accountTypes.map((type) => (
        <li key={type} data-type={type}>
          <Link to="/system/users" search={(old) => ({ ...old, page: undefined, accountType: [type] }) as never}>
            {t(`accountType.${type}`)} <strong>{count(counts[type] ?? 0)}</strong>
          </Link>
        </li>
      ))}
    </ul>
  );
}
