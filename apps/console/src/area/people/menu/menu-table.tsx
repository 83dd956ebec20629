import { createElement } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconEyeOff, IconPencil, IconTrash } from '@tabler/icons-react';
import type { MenuRecord } from '@carillon/contracts';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { menuIcon, useEntryName, whoText } from './menu-entry.ts';
import css from './menu-page.module.css';

interface MenuEvents {
  onOpen: (entry: MenuRecord) => void;
  onEdit: (entry: MenuRecord) => void;
  onDelete: (entry: MenuRecord) => void;
}

/** Shows the entries as a tree. A click on a row opens its entry. */
export function MenuTable({
  entries,
  opened,
  ...events
}: MenuEvents & { entries: readonly MenuRecord[]; opened: string | undefined }) {
  const { t } = useText();
  const rows = (parent: string | null, level: number): { entry: MenuRecord; level: number }[] =>
    entries.filter((e) => e.parent === parent).flatMap((entry) => [{ entry, level }, ...rows(entry.id, level + 1)]);
  // Permissions without a page of their own are not shown in the menu.
  const shown = rows(null, 0).filter(({ entry }) => entry.path !== null || !entry.builtIn || entry.id === 'system');
  return (
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
          {shown.map(({ entry, level }) => (
            <MenuRow key={entry.id} entry={entry} level={level} isOpened={entry.id === opened} {...events} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MenuRow({
  entry,
  level,
  isOpened,
  onOpen,
  onEdit,
  onDelete,
}: MenuEvents & { entry: MenuRecord; level: number; isOpened: boolean }) {
  const { t } = useText();
  const access = useAccess();
  const name = useEntryName()(entry);
  return (
    <tr
      data-id={entry.id}
      data-hidden={entry.hidden || undefined}
      data-opened={isOpened || undefined}
      onClick={(e) => {
        if (!(e.target as HTMLElement).closest('button')) onOpen(entry);
      }}
    >
      <td>
        <button
          type="button"
          className={css.name}
          style={{ paddingInlineStart: level * 24 }}
          data-name
          onClick={() => onOpen(entry)}
        >
          {createElement(menuIcon({ ...entry, children: [], meta: {} }), {
            size: 16,
            stroke: 1.75,
            'aria-hidden': true,
          })}
          {name}
          {entry.hidden && <IconEyeOff size={14} stroke={1.75} aria-label={t('menuAdmin.hidden')} />}
        </button>
      </td>
      <td>{entry.path === null ? '–' : <code title={entry.path}>{entry.path}</code>}</td>
      <td>{entry.sort}</td>
      <td>{whoText(t, entry)}</td>
      <td>{t(entry.meta.keepAlive ? 'common.yes' : 'common.no')}</td>
      <td className={css.actions}>
        {access.can('editMenu') && (
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={t('menuAdmin.editOne', { name })}
            title={t('common.edit')}
            onClick={() => onEdit(entry)}
          >
            <IconPencil size={15} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
        {access.can('deleteMenu') && !entry.builtIn && (
          <ActionIcon
            variant="subtle"
            data-danger
            size={28}
            aria-label={t('menuAdmin.deleteOne', { name })}
            title={t('common.delete')}
            onClick={() => onDelete(entry)}
          >
            <IconTrash size={15} stroke={1.75} aria-hidden />
          </ActionIcon>
        )}
      </td>
    </tr>
  );
}
