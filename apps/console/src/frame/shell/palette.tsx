import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';
import { createSpotlight, Spotlight, type SpotlightActionProps } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconArrowRight,
  IconLock,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../../kit/text/use-text.ts';
import { deviceListQuery } from '../../area/device/record/device.calls.ts';
import { deviceHref } from '../../kit/session/address.ts';
import { StateGlyph } from '../../kit/part/state.tsx';
import { hrefOf, leaves, useAccess, useGranted, useMenu, useUser } from '../../kit/session/access.ts';
import { macText } from '../../kit/text/time.ts';
import { useScheme } from '../../kit/theme/use-scheme.ts';
import { userListQuery } from '../../area/people/user/user.calls.ts';
import { menuIcon, useMenuName } from '../../area/people/menu/menu-entry.ts';
import css from './palette.module.css';

const [store, palette] = createSpotlight();

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
  onLogout: () => void;
  onLock: () => void;
}

/**
 * Returns the user's actions, which are available everywhere; found by the start of any word, and by any part in
 * languages without spaces.
 */
function useActions({ onClose, onLogout, onLock }: PaletteProps, go: (href: string) => void) {
  const { t } = useText();
  const { can } = useAccess();
  const { dark, toggle } = useScheme();
  const all = [
    {
      key: 'addDevice',
      label: t('device.add'),
      Icon: IconPlus,
      run: () => go('/device/addDevice'),
      may: can('addDevice'),
    },
    {
      key: 'addUser',
      label: t('user.add'),
      Icon: IconPlus,
      run: () => go('/system/users/addUser'),
      may: can('addUser'),
    },
    {
      key: 'addRole',
      label: t('role.add'),
      Icon: IconPlus,
      run: () => go('/system/users/addRole'),
      may: can('addRole'),
    },
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
  return (text: string) =>
    all.filter(({ label }) => ` ${label.toLowerCase()}`.includes(/[^\x00-\u024f]/.test(text) ? text : ` ${text}`));
}

const listId = 'palette-list';
const list = () => document.getElementById(listId);
const chosen = () => list()?.querySelector<HTMLElement>('[data-selected]');

/** Marks the chosen entry for screen readers like a combobox, because the library marks it only visually. */
function tellChosen() {
  for (const entry of list()?.querySelectorAll('[role=option]') ?? [])
    entry.setAttribute('aria-selected', String(entry === chosen()));
  const field = list()?.closest('[role=dialog]')?.querySelector('[role=combobox]');
  if (chosen()) field?.setAttribute('aria-activedescendant', chosen()!.id);
  else field?.removeAttribute('aria-activedescendant');
}

const Group = ({ label, children }: { label: string; children: ReactNode }) => (
  <Spotlight.ActionsGroup label={label} role="group" aria-label={label}>
    {children}
  </Spotlight.ActionsGroup>
);
const Entry = ({ of, ...props }: SpotlightActionProps & { of: string }) => (
  <Spotlight.Action role="option" aria-selected={false} id={`found-${of}`} className={css.action} {...props} />
);

/** Finds menu entries by prefix, devices by name, MAC and SN (SHELL-06), users, and actions. */
export default function Palette(props: PaletteProps) {
  const { opened, onClose } = props;
  const { t } = useText();
  const router = useRouter();
  const name = useMenuName();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 150);
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  const granted = useGranted('/device/list');
  const devices = useQuery({
    ...deviceListQuery({ search, limit: 8 }),
    enabled: opened && granted && search.length >= 2,
  });
  const knowsUsers = useGranted('/system/users');
  const { can } = useAccess();
  const users = useQuery({
    ...userListQuery({ search, limit: 5 }),
    enabled: opened && knowsUsers && search.length >= 2,
  });
  useEffect(() => {
    if (!opened) {
      palette.close();
      return;
    }
    // When it opens again while closing, it would keep the earlier text.
    setText('');
    palette.open();
    // A page that loads only now, after a recent choice, would focus its first field.
    const main = document.getElementById('main')!;
    main.inert = true;
    return () => {
      main.inert = false;
    };
  }, [opened]);

  const go = (href: string) => {
    onClose();
    router.history.push(href);
  };
  const typed = text.trim().toLowerCase();
  const actions = useActions(props, go)(typed);
  const entries = leaves(menu ?? [], user?.roles ?? []).filter((m) => name(m).toLowerCase().startsWith(typed));
  // Earlier results stay if they match the current text, so that nothing jumps, and Enter never takes a result that
  // does not match.
  const answered = {
    devices: text.trim() === search && !devices.isPlaceholderData,
    users: text.trim() === search && !users.isPlaceholderData,
  };
  const found =
    typed.length >= 2
      ? (devices.data?.records ?? []).filter(
          (d) =>
            answered.devices || [d.name, d.sn, d.mac, macText(d.mac)].some((of) => of.toLowerCase().includes(typed)),
        )
      : [];
  const people =
    typed.length >= 2
      ? (users.data?.records ?? []).filter(
          (u) => answered.users || [u.nickname, u.username].some((of) => of.toLowerCase().includes(typed)),
        )
      : [];

  const count = entries.length + found.length + people.length + actions.length;
  const settled = text.trim() === search && !devices.isFetching && !users.isFetching;
  const [entered, setEntered] = useState(false);
  // When typing is faster than the server, Enter waits for the results.
  const wait = (e: KeyboardEvent) => {
    if (e.key === 'Enter' && count === 0 && !settled) {
      e.stopPropagation();
      setEntered(true);
    }
  };
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- After each drawing: the library marks its list by itself.
  useEffect(() => {
    if (!opened) return;
    // The library chooses the first entry on a key press; the entry is gone or arrived later when the server answers.
    if (!chosen()) {
      list()?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
      store.updateState((state) => ({ ...state, selected: 0 }));
    }
    if (entered && settled) {
      setEntered(false);
      chosen()?.click();
    }
    tellChosen();
    if (!list()) return;
    const moved = new MutationObserver(tellChosen);
    moved.observe(list()!, { subtree: true, attributeFilter: ['data-selected'] });
    return () => {
      moved.disconnect();
    };
  });
  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={(to) => {
        setText(to);
        setEntered(false);
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      clearQueryOnClose
      size={560}
      maxHeight={460}
      yOffset="12vh"
      lockScroll={false}
      scrollable={false}
      centered={false}
      overlayProps={{ backgroundOpacity: 0.32 }}
      classNames={{ search: css.search }}
      attributes={{ content: { 'aria-label': t('shell.search') } }}
    >
      <Spotlight.Search
        placeholder={t('shell.searchAll')}
        aria-label={t('shell.searchAll')}
        role="combobox"
        aria-expanded={count > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        onKeyDownCapture={wait}
        leftSection={<IconSearch size={16} stroke={1.75} />}
      />
      <Spotlight.ActionsList
        id={listId}
        className={css.list}
        {...(count > 0 ? { role: 'listbox', 'aria-label': t('shell.search') } : {})}
      >
        {entries.length > 0 && (
          <Group label={t('shell.pages')}>
            {entries.map((m) => {
              const Icon = menuIcon(m);
              return (
                <Entry key={m.id} of={m.id} onClick={() => go(hrefOf(m))}>
                  <Icon size={16} stroke={1.75} aria-hidden />
                  <span className={css.label} title={name(m)}>
                    {name(m)}
                  </span>
                  <code className={`${css.path} ${css.more}`}>{hrefOf(m)}</code>
                </Entry>
              );
            })}
          </Group>
        )}
        {found.length > 0 && (
          <Group label={t('menu.devices')}>
            {found.map((d) => (
              <Entry key={d.id} of={d.id} onClick={() => go(deviceHref(d))}>
                <StateGlyph state={d.state} />
                <span className={css.label} title={d.name}>
                  {d.name}
                </span>
                <span className={css.path}>
                  <span className={css.more}>{d.model} · </span>
                  <code>{macText(d.mac)}</code>
                </span>
              </Entry>
            ))}
            {answered.devices && (devices.data?.total ?? 0) > found.length && (
              <Entry of="all" onClick={() => go(`/device/list?search=${encodeURIComponent(search)}`)}>
                <IconArrowRight size={16} stroke={1.75} aria-hidden />
                <span className={css.label}>{t('shell.allMatches', { count: devices.data!.total })}</span>
              </Entry>
            )}
          </Group>
        )}
        {people.length > 0 && (
          <Group label={t('menu.users')}>
            {people.map((u) => (
              <Entry
                key={u.id}
                of={u.id}
                onClick={() =>
                  go(
                    can('editUser')
                      ? `/system/users/editUser?id=${u.id}`
                      : `/system/users?search=${encodeURIComponent(u.username)}`,
                  )
                }
              >
                <IconUser size={16} stroke={1.75} aria-hidden />
                <span className={css.label} title={u.nickname}>
                  {u.nickname}
                </span>
                <span className={css.path} title={u.username}>
                  {u.username}
                </span>
              </Entry>
            ))}
          </Group>
        )}
        {actions.length > 0 && (
          <Group label={t('grid.actions')}>
            {actions.map(({ key, label, Icon, run }) => (
              <Entry key={key} of={key} closeSpotlightOnTrigger onClick={run}>
                <Icon size={16} stroke={1.75} aria-hidden />
                <span className={css.label}>{label}</span>
              </Entry>
            ))}
          </Group>
        )}
        {count === 0 && settled && <Spotlight.Empty role="status">{t('shell.nothingFound')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
