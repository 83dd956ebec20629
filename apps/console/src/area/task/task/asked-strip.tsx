import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccess } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { askedTasksQuery } from './task.calls.ts';
import css from '../approval/approval.module.css';

/** Shows how many tasks wait for approval, with a link, to users who may approve. Needs `pageTexts`. */
export function AskedStrip() {
  const { t } = useText();
  const access = useAccess();
  const { data } = useQuery({ ...askedTasksQuery(), enabled: access.can('approveTask') });
  if (!data || data.total === 0) return null;
  return (
    <div className={css.strip}>
      <IconUserCheck size={15} stroke={1.75} aria-hidden />
      <Link to="/task/list" search={{ approval: ['asked'] } as never}>
        {t('approval.waiting', { count: data.total, number: count(data.total) })}
      </Link>
    </div>
  );
}
