import { useEffect, useState, type KeyboardEvent } from 'react';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { systemTexts } from '../../kit/text/system.ts';
import { useText } from '../../kit/text/use-text.ts';
import { deviceListQuery } from '../../area/device/record/device.calls.ts';
import { leaves, useGranted, useMenu, useUser } from '../../kit/api/access.ts';
import { macText } from '../../kit/text/time.ts';
import { useMenuName } from '../../area/people/menu/menu-entry.ts';
import { useActions, type PaletteProps } from './palette-actions.ts';
import { ActionGroup, DeviceGroup, FoundEntries, PageGroup } from './palette-groups.tsx';
import { useFound } from './palette-search.ts';
import css from './palette.module.css';

// For the names of the settings.
await systemTexts();

const [store, palette] = createSpotlight();

const listId = 'palette-list';
const list = () => document.getElementById(listId);
const chosen = () => list()?.querySelector<HTMLElement>('[data-selected]');

/** Marks the chosen entry for screen readers like a combobox, because the library marks it only visually. */
function announceChosen() {
  for (const entry of list()?.querySelectorAll('[role=option]') ?? [])
    entry.setAttribute('aria-selected', String(entry === chosen()));
  const field = list()?.closest('[role=dialog]')?.querySelector('[role=combobox]');
  if (chosen()) field?.setAttribute('aria-activedescendant', chosen()!.id);
  else field?.removeAttribute('aria-activedescendant');
}

/** Finds menu entries by prefix, devices by name, MAC and SN (SHELL-06), users, sites, SIP accounts, and actions. */
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
  const isAnswered = text.trim() === search && !devices.isPlaceholderData;
  const found =
    typed.length >= 2
      ? (devices.data?.records ?? []).filter(
          (d) => isAnswered || [d.name, d.sn, d.mac, macText(d.mac)].some((text) => text.toLowerCase().includes(typed)),
        )
      : [];
  const others = useFound(typed, search, opened);

  const count =
    entries.length + found.length + others.groups.reduce((sum, g) => sum + g.found.length, 0) + actions.length;
  const settled = text.trim() === search && !devices.isFetching && !others.isFetching;
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
    announceChosen();
    if (!list()) return;
    const moved = new MutationObserver(announceChosen);
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
        // The library gives the focus in a timer; letters typed before it would be lost.
        autoFocus
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
        <PageGroup entries={entries} go={go} />
        <DeviceGroup
          devices={found}
          total={isAnswered ? (devices.data?.total ?? 0) : found.length}
          search={search}
          go={go}
        />
        {others.groups.map((group) => (
          <FoundEntries key={group.label} group={group} go={go} />
        ))}
        <ActionGroup actions={actions} />
        {count === 0 && settled && <Spotlight.Empty role="status">{t('shell.nothingFound')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
