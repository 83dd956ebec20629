import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import {
  IconBug,
  IconCheck,
  IconLanguage,
  IconLock,
  IconMaximize,
  IconMenu2,
  IconMinimize,
  IconMoon,
  IconPalette,
  IconSearch,
  IconSelector,
  IconSun,
  IconWorld,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useText } from '../../kit/text/use-text.ts';
import { useOrganizations, useUser } from '../../kit/api/access.ts';
import { useErrorLog } from '../../kit/browser/error-log.ts';
import { organization, session } from '../../kit/session/session.ts';
import { keep, onKept } from '../../kit/browser/storage.ts';
import { useScheme } from '../../kit/theme/use-scheme.ts';
import { currentLanguage, languageCodes } from '../../kit/browser/language.ts';
import { zoneName } from '../../kit/text/time.ts';
import { reopenLive } from '../../kit/live/live.ts';
import { lazy } from '../../kit/part/lazy.tsx';
import { Mark } from '../../kit/part/mark.tsx';
import { Bell } from './bell.tsx';
import css from './top-bar.module.css';

const ColourList = lazy(() => import('./colour-list.tsx'));
const ZoneList = lazy(() => import('./zone-list.tsx'));
const UserList = lazy(() => import('./user-list.tsx'));
const LanguageMenu = lazy(() => import('./language-list.tsx'));
const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

export function TopBar({
  onMenu,
  onSearch,
  onLogout,
  onErrors,
  onLock,
}: {
  onMenu: () => void;
  onSearch: () => void;
  onLogout: () => void;
  onErrors: () => void;
  onLock: () => void;
}) {
  const { t } = useText();
  // Settings of the user's own account are changed in their own company.
  const visiting = session()?.visit !== undefined;
  return (
    <header className={css.bar}>
      <ActionIcon variant="subtle" size={44} className={css.small} aria-label={t('shell.menu')} onClick={onMenu}>
        <IconMenu2 size={20} stroke={1.5} />
      </ActionIcon>
      <div className={css.brand}>
        <Mark size={22} />
        <OrganizationSwitch />
      </div>
      <button type="button" className={css.search} onClick={onSearch} aria-keyshortcuts="Control+K">
        <IconSearch {...icon} />
        <span className="ellipsis">{t('shell.search')}</span>
        <kbd className={css.key}>{t('shell.searchKey')}</kbd>
      </button>
      <div className={css.right}>
        <ActionIcon variant="subtle" size={44} className={css.small} aria-label={t('shell.search')} onClick={onSearch}>
          <IconSearch size={20} stroke={1.5} />
        </ActionIcon>
        {!visiting && (
          <span className={css.wide}>
            <ChoiceMenu
              label={t('shell.zone')}
              glyph={<IconWorld {...icon} />}
              chosen={zoneName()}
              list={<ZoneList />}
              className={css.zones}
            />
          </span>
        )}
        <span className={css.wide}>
          <ChoiceMenu
            label={t('shell.language')}
            glyph={<IconLanguage {...icon} />}
            chosen={languageCodes[currentLanguage()]}
            list={<LanguageMenu />}
          />
        </span>
        <span className={`${css.line} ${css.wide}`} />
        <span className={css.wide}>
          <ColourMenu />
        </span>
        <span className={css.wide}>
          <SchemeButton />
        </span>
        <span className={css.wide}>
          <FullScreenButton />
        </span>
        {!visiting && (
          <span className={css.wide}>
            <ActionIcon variant="subtle" size={30} aria-label={t('lock.lock')} title={t('lock.lock')} onClick={onLock}>
              <IconLock {...icon} />
            </ActionIcon>
          </span>
        )}
        <span className={`${css.line} ${css.wide}`} />
        <DebugCount onOpen={onErrors} />
        <Bell />
        <UserMenu onLogout={onLogout} onLock={onLock} />
      </div>
    </header>
  );
}

/** Shows the number of unreported errors of this browser; nothing without any (SHELL-13). */
function DebugCount({ onOpen }: { onOpen: () => void }) {
  const { t } = useText();
  const entries = useErrorLog();
  if (entries.length === 0) return null;
  const label = t('errorLog.count', { count: entries.length });
  return (
    <UnstyledButton className={css.zone} onClick={onOpen} aria-label={label} title={label}>
      <IconBug {...icon} />
      {entries.length}
    </UnstyledButton>
  );
}

function OrganizationSwitch() {
  const { t } = useText();
  const client = useQueryClient();
  const { data } = useOrganizations();
  const company = useUser().data?.companyName;
  const [chosen, setChosen] = useState(organization());
  const follow = () => {
    setChosen(organization());
    reopenLive();
    void client.resetQueries({ predicate: (q) => q.queryKey[0] !== 'session' });
  };
  // All tabs use the same organization.
  const followOtherTab = useEffectEvent(follow);
  useEffect(() => onKept('organization', () => followOtherTab()), []);
  if (data?.[0] === undefined) return null;
  // With several organizations, "all" is the first choice.
  const choices = data.length > 1 ? [{ id: '1', name: t('shell.allOrganizations') }, ...data] : data;
  const current = choices.find((o) => o.id === chosen) ?? choices[0]!;
  return (
    <div className={css.names}>
      {company && (
        <span className="ellipsis" title={company}>
          {company}
        </span>
      )}
      <Menu>
        <Menu.Target>
          <UnstyledButton className={css.organization} aria-label={t('shell.organization', { name: current.name })}>
            <span className="ellipsis" title={current.name}>
              {current.name}
            </span>
            <IconSelector {...icon} size={14} />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {choices.map((o) => (
            <Menu.Item
              key={o.id}
              rightSection={o.id === current.id && <IconCheck {...icon} />}
              onClick={() => {
                keep('organization', o.id);
                follow();
              }}
            >
              {o.name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

/** A choice in the bar, with a list that opens below it. */
function ChoiceMenu({
  label,
  glyph,
  chosen,
  list,
  className,
}: {
  label: string;
  glyph: ReactNode;
  chosen: string;
  list: ReactNode;
  className?: string | undefined;
}) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={css.zone} title={label}>
          {glyph}
          <span className="hidden-text">{label}</span>
          {chosen}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={className}>{list}</Menu.Dropdown>
    </Menu>
  );
}

function ColourMenu() {
  const { t } = useText();
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" size={30} aria-label={t('shell.colours')} title={t('shell.colours')}>
          <IconPalette {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ColourList />
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeButton() {
  const { t } = useText();
  const { dark, toggle } = useScheme();
  const label = t(dark ? 'shell.light' : 'shell.dark');
  return (
    <ActionIcon variant="subtle" size={30} aria-label={label} title={label} onClick={toggle}>
      {dark ? <IconMoon {...icon} /> : <IconSun {...icon} />}
    </ActionIcon>
  );
}

const hearFullScreen = (onChange: () => void) => {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
};

function FullScreenButton() {
  const { t } = useText();
  const fullscreen = useSyncExternalStore(hearFullScreen, () => document.fullscreenElement !== null);
  const toggle = () => (fullscreen ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  const label = t(fullscreen ? 'shell.leaveFullScreen' : 'shell.fullScreen');
  return (
    <ActionIcon variant="subtle" size={30} aria-label={label} title={label} onClick={() => void toggle()}>
      {fullscreen ? <IconMinimize {...icon} /> : <IconMaximize {...icon} />}
    </ActionIcon>
  );
}

function UserMenu({ onLogout, onLock }: { onLogout: () => void; onLock: () => void }) {
  const { t } = useText();
  const { data: user } = useUser();
  const name = user?.nickname || user?.username || '';
  const letters = name
    .split(/[\s._-]+/)
    .map((w) => w[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase();
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton className={css.avatar} aria-label={t('shell.user', { name })} data-letters={letters} />
      </Menu.Target>
      <Menu.Dropdown>
        <UserList onLogout={onLogout} onLock={onLock} />
      </Menu.Dropdown>
    </Menu>
  );
}
