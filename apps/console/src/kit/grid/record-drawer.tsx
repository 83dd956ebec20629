import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Facts } from '../part/facts.tsx';
import { SideDrawer } from '../part/side-drawer.tsx';
import { useText } from '../text/use-text.ts';
import type { Column, GridAction } from './grid.types.ts';
import css from './record-drawer.module.css';

/** Shows a record beside its list: columns, link to its page, and actions. */
export default function RecordDrawer<T extends { id: string }>({
  record,
  title,
  columns,
  actions,
  page,
  more,
  onClose,
}: {
  record: T;
  title: string;
  columns: readonly Column<T>[];
  actions: readonly GridAction<T>[];
  /** Address of its own page; absent: none, or not for this user. */
  page: string | undefined;
  more?: ReactNode;
  onClose: () => void;
}) {
  const { t } = useText();
  return (
    <SideDrawer title={title} onClose={onClose}>
      <Facts items={columns.map((c) => [c.title, c.render(record)] as const)} />
      {more}
      <div className={css.buttons}>
        {page !== undefined && (
          <Button component={Link} to={page as '/system/users'}>
            {t('record.openPage')}
          </Button>
        )}
        {actions
          .filter((a) => a.when?.(record) !== false && !(page !== undefined && a.key === 'edit'))
          .map((a) => (
            <Button
              key={a.key}
              variant="default"
              className={a.danger ? css.danger : ''}
              leftSection={a.icon}
              onClick={() => a.onOne(record)}
            >
              {a.label}
            </Button>
          ))}
      </div>
    </SideDrawer>
  );
}
