import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { MenuRecord } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { done } from '../../../kit/part/done.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useEntryName } from './menu-entry.ts';
import { MenuDialog } from './menu-dialog.tsx';
import { MenuTable } from './menu-table.tsx';
import css from './menu-page.module.css';

await systemTexts();

const MenuDrawer = lazy(() => import('./menu-drawer.tsx'));

const list = remote('listMenus', 'GET /api/f/mc/menu/list');
const deleteMenus = remote('deleteMenus', 'DELETE /api/f/mc/menu/');

/** Manages names, icons, order and visibility of menu entries, and pages of other sites (ROLE-02). */
export function MenuPage() {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const navigate = useNavigate();
  // Both /menu and /menu/index show this page.
  const { entry } = useSearch({ strict: false }) as { entry?: string };
  const name = useEntryName();
  const { data } = useQuery({ queryKey: ['menu', 'list'], queryFn: ({ signal }) => call(list, {}, { signal }) });
  const [edited, setEdited] = useState<MenuRecord | 'new'>();
  const [gone, setGone] = useState<MenuRecord>();
  const opened = data?.find((e) => e.id === entry);
  const open = (id: string | undefined) => void navigate({ to: '.', search: { entry: id } as never });
  return (
    <section className={css.page} aria-label={t('menu.menus')}>
      <header className={css.head}>
        <h1>{t('menu.menus')}</h1>
        {access.can('addMenu') && (
          <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setEdited('new')}>
            {t('menuAdmin.add')}
          </Button>
        )}
      </header>
      <MenuTable
        entries={data ?? []}
        opened={opened?.id}
        onOpen={({ id }) => open(id)}
        onEdit={setEdited}
        onDelete={setGone}
      />
      {opened && (
        <MenuDrawer
          key={opened.id}
          entry={opened}
          parent={data?.find((e) => e.id === opened.parent)}
          onEdit={() => setEdited(opened)}
          onDelete={() => setGone(opened)}
          onClose={() => open(undefined)}
        />
      )}
      {edited !== undefined && (
        <MenuDialog
          entry={edited === 'new' ? undefined : edited}
          entries={data ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
      {gone && (
        <AskDialog
          title={t('menuAdmin.deleteOne', { name: name(gone) })}
          text={t('menuAdmin.deleteText')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={async () => {
            await call(deleteMenus, { query: { ids: [gone.id] } });
            open(undefined);
            await client.invalidateQueries({ queryKey: ['menu'] });
            await client.invalidateQueries({ queryKey: ['session', 'menu'] });
            await done('deleted', { name: name(gone) });
          }}
        />
      )}
    </section>
  );
}
