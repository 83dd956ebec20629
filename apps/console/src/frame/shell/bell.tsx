import { useState } from 'react';
import { ActionIcon, Popover } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { clearMessages, noticeQuery } from '../../area/system/alarm/message.calls.ts';
import { lazy } from '../../kit/part/lazy.tsx';
import { Panel } from '../../kit/part/panel.tsx';
import { call } from '../../kit/api/call.ts';
import { noticeWidth } from '@carillon/contracts/constants';
import { useText } from '../../kit/text/use-text.ts';
import { pageTexts } from '../../kit/text/text.ts';
import { useRunning } from './work.ts';
import css from './bell.module.css';

const BellContent = lazy(() => pageTexts().then(() => import('./bell-content.tsx')));

/**
 * Notices: polled every minute, and at once after a live change (SHELL-07). A ring turns while the user's work is
 * running.
 */
export function Bell() {
  const { t } = useText();
  const client = useQueryClient();
  const [opened, setOpened] = useState(false);
  const notices = useQuery(noticeQuery).data ?? [];
  const clear = () =>
    void call(clearMessages, { params: { type: -1 } }).then(
      () => client.invalidateQueries({ queryKey: ['message'] }),
      () => {},
    );
  const running = useRunning();
  const unread =
    notices.length === 0 ? t('bell.none') : t('bell.some', { count: notices.reduce((n, x) => n + x.total, 0) });
  const label = running === 0 ? unread : `${unread}, ${t('bell.running', { count: running })}`;
  return (
    <Popover
      position="bottom-end"
      width={`min(${noticeWidth}px, calc(100vw - 16px))`}
      opened={opened}
      onChange={setOpened}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size={30}
          className={css.bell}
          aria-label={label}
          title={label}
          onClick={() => setOpened(!opened)}
        >
          <IconBell size={16} stroke={1.75} aria-hidden />
          {notices.length > 0 && <span className={css.dot} data-dot />}
          {running > 0 && <span className={css.ring} data-ring />}
        </ActionIcon>
      </Popover.Target>
      <Panel aria-label={t('bell.title')} className={css.panel}>
        <div className={css.head}>
          <h2 tabIndex={-1} data-autofocus>
            {t('bell.title')}
          </h2>
          {notices.length > 0 && (
            <button type="button" className={css.clear} onClick={clear}>
              {t('bell.clear')}
            </button>
          )}
        </div>
        <BellContent notices={notices} onLeave={() => setOpened(false)} />
      </Panel>
    </Popover>
  );
}
