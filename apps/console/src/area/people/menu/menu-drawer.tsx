import { Button } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { MenuRecord } from '@carillon/contracts';
import { Facts } from '../../../kit/part/facts.tsx';
import { SideDrawer } from '../../../kit/part/side-drawer.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useEntryName, whoText } from './menu-entry.ts';
import css from './menu-page.module.css';

/** Shows an entry beside the tree, with its actions. */
export default function MenuDrawer({
  entry,
  parent,
  onEdit,
  onDelete,
  onClose,
}: {
  entry: MenuRecord;
  parent: MenuRecord | undefined;
  onEdit: () => void;
  onDelete: () => void;
  onClose: () => void;
}) {
  const { t } = useText();
  const access = useAccess();
  const name = useEntryName();
  return (
    <SideDrawer title={name(entry)} onClose={onClose}>
      <Facts
        items={[
          [t('menuAdmin.path'), entry.path],
          [t('menuAdmin.parent'), parent === undefined ? t('menuAdmin.top') : name(parent)],
          [t('menuAdmin.order'), entry.sort],
          [t('menuAdmin.who'), whoText(t, entry)],
          [t('menuAdmin.hidden'), t(entry.hidden ? 'common.yes' : 'common.no')],
          [t('menuAdmin.keepAlive'), t(entry.meta.keepAlive ? 'common.yes' : 'common.no')],
        ]}
      />
      <div className={css.buttons}>
        {access.can('editMenu') && (
          <Button variant="default" leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />} onClick={onEdit}>
            {t('common.edit')}
          </Button>
        )}
        {access.can('deleteMenu') && !entry.builtIn && (
          <Button
            variant="default"
            data-danger
            leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
            onClick={onDelete}
          >
            {t('common.delete')}
          </Button>
        )}
      </div>
    </SideDrawer>
  );
}
