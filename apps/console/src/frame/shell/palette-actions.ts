import { IconLock, IconLogout, IconMoon, IconPlus, IconSettings, IconSun } from '@tabler/icons-react';
import type { PermissionKey } from '@carillon/contracts';
import { configTabs } from '../../area/system/config/config-tab.ts';
import { useAccess, useGranted } from '../../kit/api/access.ts';
import { useText } from '../../kit/text/use-text.ts';
import { useScheme } from '../../kit/theme/use-scheme.ts';

export interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
  onLock: () => void;
}

/**
 * Returns the user's actions, which are available everywhere; found by the start of any word, and by any part in
 * languages without spaces.
 */
export function useActions({ onClose, onLogout, onLock }: PaletteProps, go: (href: string) => void) {
  const { t } = useText();
  const { can } = useAccess();
  const { dark, toggle } = useScheme();
  const settings = useGranted('/system/config');
  const add = (key: string, label: string, href: string, permission: PermissionKey) => ({
    key,
    label,
    Icon: IconPlus,
    run: () => go(href),
    may: can(permission),
  });
  const all = [
    add('addDevice', t('device.add'), '/device/addDevice', 'addDevice'),
    add('addTask', t('menu.addTask'), '/task/addTask', 'addTask'),
    add('addUser', t('user.add'), '/system/users/addUser', 'addUser'),
    add('addRole', t('role.add'), '/system/users/addRole', 'addRole'),
    add('addSipAccount', t('menu.addSipAccount'), '/account/sip/addSipAccount', 'addSipAccount'),
    add('addSipServer', t('menu.addSipServer'), '/account/sip/addSipServer', 'addSipServer'),
    ...configTabs.map((tab) => ({
      key: `settings-${tab}`,
      label: `${t('menu.config')}: ${t(`config.${tab}`)}`,
      Icon: IconSettings,
      run: () => go(tab === 'names' ? '/system/config' : `/system/config?tab=${tab}`),
      may: settings,
    })),
    {
      key: 'scheme',
      label: t(dark ? 'shell.light' : 'shell.dark'),
      Icon: dark ? IconSun : IconMoon,
      run: toggle,
      may: true,
    },
    {
      key: 'lock',
      label: t('lock.lock'),
      Icon: IconLock,
      run: () => {
        onClose();
        onLock();
      },
      may: true,
    },
    {
      key: 'logout',
      label: t('shell.logout'),
      Icon: IconLogout,
      run: () => {
        onClose();
        onLogout();
      },
      may: true,
    },
  ].filter((a) => a.may);
  // Without a text only what is done often is offered.
  return (text: string) =>
    all
      .filter(({ key }) => text !== '' || !key.startsWith('settings'))
      .filter(({ label }) => ` ${label.toLowerCase()}`.includes(/[^\x00-\u024f]/.test(text) ? text : ` ${text}`));
}
