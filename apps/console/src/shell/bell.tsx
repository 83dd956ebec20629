import { useState } from 'react';
import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { clearMessages, noticeQuery } from '../alarm/message.calls.ts';
import { NoticeIcon } from '../alarm/level.tsx';
import { call } from '../session/call.ts';
import { noticeWidth } from '@carillon/contracts/constants';
import { useText } from '../text/use-text.ts';
import { count } from '../text/text.ts';
import { moment } from '../text/time.ts';
import css from './bell.module.css';

/** Where a notice leads (spec, section 2): to what devices told, to messages, or to alarms. */
const target = (type: number): Record<string, string> => (type === -2 ? { tableCheck: 'message' } : type === -3 ? { tableCheck: 'device' } : {});

/** Notices: asked every minute, and at once when the stream tells (SHELL-07). */
export function Bell() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const notices = useQuery(noticeQuery).data ?? [];
  const clear = () => void call(clearMessages, { params: { type: -1 } }).then(() => client.invalidateQueries({ queryKey: ['message'] }), () => {});
  const label = notices.length === 0 ? t('bell.none') : t('bell.some', { count: notices.reduce((n, x) => n + x.total, 0) });
  return (
    <Popover position="bottom-end" width={`min(${noticeWidth}px, calc(100vw - 16px))`} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ActionIcon variant="subtle" size={30} className={css.bell} aria-label={label} title={label} onClick={() => setOpened(!opened)}>
          <IconBell size={16} stroke={1.75} aria-hidden />{notices.length > 0 && <span className={css.dot} data-dot />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('bell.title')} className={css.panel}>
        <div className={css.head}><h2 tabIndex={-1} data-autofocus>{t('bell.title')}</h2>{notices.length > 0 && <button type="button" className={css.clear} onClick={clear}>{t('bell.clear')}</button>}</div>
        {notices.length === 0 ? <p className={css.empty}>{t('bell.empty')}</p> : (
          <ul className={css.list}>
            {notices.map((n) => (
              <li key={n.type}>
                <button type="button" className={css.notice} onClick={() => { setOpened(false); void navigate({ to: '/alarm', search: target(n.type) as never }); }}>
                  <NoticeIcon type={n.type} /><span className={css.title}>{n.title}</span>
                  {n.date !== null && <span className={css.muted}>{t('alarm.days', { count: n.date })}</span>}
                  <span className={css.count}>{count(n.total)}</span><span className={css.muted}>{moment(n.createTime)}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
