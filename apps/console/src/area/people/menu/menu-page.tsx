import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconEyeOff, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../../../kit/part/done.ts';
import type { MenuRecord } from '@carillon/contracts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { menuIcon, useEntryName } from './menu-entry.ts';
import { MenuDialog } from './menu-dialog.tsx';
import css from './menu-page.module.css';

await systemTexts();

const list = remote('listMenus', 'GET /api/f/mc/menu/list');
const deleteMenus = remote('deleteMenus', 'DELETE /api/f/mc/menu/');

/** Manages names, icons, order and visibility of menu entries, and pages of other sites (ROLE-02). */
export function MenuPage() {
  const { t } = useText();
  const client = useQueryClient();
  const access = useAccess();
  const name = useEntryName();
  const { data } = useQuery({ queryKey: ['menu', 'list'], queryFn: ({ signal }) => call(list, {}, { signal }) });
  const [edited, setEdited] = useState<MenuRecord | 'new'>();
  const [gone, setGone] = useState<MenuRecord>();
  const rows = (parent: string | null, level: number): { entry: MenuRecord; level: number }[] =>
    (data ?? [])
      .filter((e) => e.parent === parent)
      .flatMap((entry) => [{ entry, level }, ...rows(entry.id, level + 1)]);
  // Permissions without a page of their own are not shown in the menu.
  const shown = rows(null, 0).filter(({ entry }) => entry.path !== null || !entry.builtIn || entry.id === 'system');
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
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t('menu.menus')}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('menuAdmin.name')}</th>
              <th scope="col">{t('menuAdmin.path')}</th>
              <th scope="col">{t('menuAdmin.order')}</th>
              <th scope="col">{t('menuAdmin.who')}</th>
              <th scope="col">{t('menuAdmin.keepAlive')}</th>
              <th scope="col">
                <span className="hidden-text">{t('menuAdmin.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ entry, level }) => {
              const Icon = menuIcon({ ...entry, children: [], meta: {} });
              return (
                <tr key={entry.id} data-id={entry.id} data-hidden={entry.hidden || undefined}>
                  <td>
                    <span className={css.name} style={{ paddingInlineStart: level * 24 }}>
                      <Icon size={16} stroke={1.75} aria-hidden />
                      {name(entry)}
                      {entry.hidden && <IconEyeOff size={14} stroke={1.75} aria-label={t('menuAdmin.hidden')} />}
                    </span>
                  </td>
                  <td>{entry.path === null ? '–' : <code title={entry.path}>{entry.path}</code>}</td>
                  <td>{entry.sort}</td>
                  <td>
                    {entry.meta.roles === null
                      ? t('menuAdmin.everybody')
                      : t('menuAdmin.someRoles', { count: entry.meta.roles.length })}
                  </td>
                  <td>{t(entry.meta.keepAlive ? 'common.yes' : 'common.no')}</td>
                  <td className={css.actions}>
                    {access.can('editMenu') && (
                      <ActionIcon
                        variant="subtle"
                        size={28}
                        aria-label={t('menuAdmin.editOne', { name: name(entry) })}
                        title={t('common.edit')}
                        onClick={() => setEdited(entry)}
                      >
                        <IconPencil size={15} stroke={1.75} aria-hidden />
                      </ActionIcon>
                    )}
                    {access.can('deleteMenu') && !entry.builtIn && (
                      <ActionIcon
                        variant="subtle"
                        data-danger
                        size={28}
                        aria-label={t('menuAdmin.deleteOne', { name: name(entry) })}
                        title={t('common.delete')}
                        onClick={() => setGone(entry)}
                      >
                        <IconTrash size={15} stroke={1.75} aria-hidden />
                      </ActionIcon>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
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
            await client.invalidateQueries({ queryKey: ['menu'] });
            await client.invalidateQueries({ queryKey: ['session', 'menu'] });
            await done('deleted', { name: name(gone) });
          }}
        />
      )}
    </section>
  );
}
