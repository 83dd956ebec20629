import type { ReactNode } from 'react';
import { Menu } from '@mantine/core';
import { IconInfoCircle, IconLock, IconLogout, IconMoon, IconSun, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { FocusFirst } from '../../kit/part/focus-first.tsx';
import { useUser } from '../../kit/api/access.ts';
import { session } from '../../kit/session/session.ts';
import { useText } from '../../kit/text/use-text.ts';
import { useScheme } from '../../kit/theme/use-scheme.ts';
import { LanguageList } from './language-list.tsx';
import css from './top-bar.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Checked when the menu opens: hidden entries would take the focus and show nothing. */
const Narrow = ({ children }: { children: ReactNode }) => matchMedia('(max-width: 899px)').matches && children;

/** The menu of the user; on a phone also with the entries that do not fit the bar. */
export default function UserList({ onLogout, onLock }: { onLogout: () => void; onLock: () => void }) {
  const { t } = useText();
  // Settings of the user's own account are changed in their own company.
  const visiting = session()?.visit !== undefined;
  const { data: user } = useUser();
  const { dark, toggle } = useScheme();
  return (
    <>
      <FocusFirst />
      <div className={css.who}>
        <strong>{user?.nickname || user?.username}</strong>
        <span>{user?.email ?? user?.username}</span>
      </div>
      <Narrow>
        {/* The bar may have cut it. */}
        <div className={css.company}>{user?.companyName}</div>
        <Menu.Divider />
        <LanguageList />
        <Menu.Divider />
        <Menu.Item leftSection={dark ? <IconSun {...icon} /> : <IconMoon {...icon} />} onClick={toggle}>
          {t(dark ? 'shell.light' : 'shell.dark')}
        </Menu.Item>
        {!visiting && (
          <Menu.Item leftSection={<IconLock {...icon} />} onClick={onLock}>
            {t('lock.lock')}
          </Menu.Item>
        )}
      </Narrow>
      <Menu.Divider />
      {!visiting && (
        <Menu.Item component={Link} to="/info" leftSection={<IconUser {...icon} />}>
          {t('info.title')}
        </Menu.Item>
      )}
      <Menu.Item component={Link} to="/about" leftSection={<IconInfoCircle {...icon} />}>
        {t('menu.about')}
      </Menu.Item>
      <Menu.Item leftSection={<IconLogout {...icon} />} onClick={onLogout}>
        {t('shell.logout')}
      </Menu.Item>
    </>
  );
}
