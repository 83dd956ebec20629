import { useNavigate } from '@tanstack/react-router';
import type { listNotices, RouteOutput } from '@carillon/contracts';
import { NoticeIcon } from '../../area/system/alarm/level.tsx';
import { count } from '../../kit/text/text.ts';
import { moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import { WorkList } from './work-list.tsx';
import css from './bell.module.css';

/** Returns where a notice leads (SHELL-07): the address, and the list that contains the notice. */
const target = (type: number) => {
  const table = type >= 0 || type === -3 ? 'device' : 'message';
  return {
    to: '/alarm',
    search: (type === -2 || type === -3 ? { tableCheck: table } : {}) as never,
    state: { table },
  } as const;
};

/** The content of the bell: notices, and the user's running work. */
export default function BellContent({
  notices,
  onLeave,
}: {
  notices: RouteOutput<typeof listNotices>;
  onLeave: () => void;
}) {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <div className={css.scroll}>
      {notices.length === 0 ? (
        <p className={css.empty}>{t('bell.empty')}</p>
      ) : (
        <ul>
          {notices.map((n) => (
            <li key={n.type}>
              <button
                type="button"
                className={css.notice}
                onClick={() => {
                  onLeave();
                  void navigate(target(n.type));
                }}
              >
                <NoticeIcon type={n.type} />
                <span className={css.title}>{n.title}</span>
                {n.date !== null && <span className={css.muted}>{t('alarm.days', { count: n.date })}</span>}
                <span className={css.count}>{count(n.total)}</span>
                <span className={css.muted}>{moment(n.createTime)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <WorkList onLeave={onLeave} />
    </div>
  );
}
