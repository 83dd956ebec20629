import { useState } from 'react';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowRight, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useText } from '../text/use-text.ts';
import { deviceListQuery } from '../device/device.calls.ts';
import { deviceHref } from '../device/device-columns.tsx';
import { StateGlyph } from '../part/state.tsx';
import { hrefOf, leaves, useGranted, useMenu, useUser } from '../session/access.ts';
import { macText } from '../text/time.ts';
import { menuIcon, useMenuName } from './sidebar.tsx';
import css from './palette.module.css';

const [store, palette] = createSpotlight();

/** Menu entries whose name starts with what is typed, and devices by name, MAC and SN (SHELL-06). */
export default function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const name = useMenuName();
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), 150);
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  const granted = useGranted('/device/list');
  const devices = useQuery({ ...deviceListQuery({ search, limit: 8 }), enabled: opened && granted && search.length >= 2 });
  useEffect(() => { if (opened) palette.open(); else palette.close(); }, [opened]);

  const entries = leaves(menu ?? [], user?.roles ?? []).filter((m) => name(m).toLowerCase().startsWith(text.trim().toLowerCase()));
  const found = search.length >= 2 ? devices.data?.records ?? [] : [];
  const go = (href: string) => { onClose(); router.history.push(href); };
  return (
    <Spotlight.Root store={store} query={text} onQueryChange={setText} onSpotlightClose={onClose} shortcut={null} clearQueryOnClose size={560} maxHeight={460} yOffset="12vh" lockScroll={false} scrollable={false} centered={false} overlayProps={{ backgroundOpacity: 0.32 }} classNames={{ search: css.search }} attributes={{ content: { 'aria-label': t('shell.search') } }}>
      <Spotlight.Search placeholder={t('shell.search')} aria-label={t('shell.search')} leftSection={<IconSearch size={16} stroke={1.75} />} />
      <Spotlight.ActionsList className={css.list}>
        {entries.length > 0 && (
          <Spotlight.ActionsGroup label={t('shell.pages')}>
            {entries.map((m) => { const Icon = menuIcon(m); return <Spotlight.Action key={m.id} onClick={() => go(hrefOf(m))} className={css.action}><Icon size={16} stroke={1.75} aria-hidden /><span className={css.label}>{name(m)}</span><code className={css.path}>{hrefOf(m)}</code></Spotlight.Action>; })}
          </Spotlight.ActionsGroup>
        )}
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={t('menu.devices')}>
            {found.map((d) => <Spotlight.Action key={d.id} onClick={() => go(deviceHref(d))} className={css.action}><StateGlyph state={d.state} /><span className={css.label}>{d.name}</span><span className={css.path}>{d.model} · <code>{macText(d.mac)}</code></span></Spotlight.Action>)}
            {(devices.data?.total ?? 0) > found.length && <Spotlight.Action onClick={() => go(`/device/list?search=${encodeURIComponent(search)}`)} className={css.action}><IconArrowRight size={16} stroke={1.75} aria-hidden /><span className={css.label}>{t('shell.allMatches', { count: devices.data!.total })}</span></Spotlight.Action>}
          </Spotlight.ActionsGroup>
        )}
        {entries.length === 0 && found.length === 0 && !devices.isFetching && <Spotlight.Empty>{t('shell.nothingFound')}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
