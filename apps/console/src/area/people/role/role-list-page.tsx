import { useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { IconPencil, IconPlus, IconShieldCheck, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, GridAction } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { useAccess } from '../../../kit/session/access.ts';
import { call } from '../../../kit/session/call.ts';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { toldThere } from '../../../kit/part/told.ts';
import { count } from '../../../kit/text/text.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteRoles, restoreRoles, roleListQuery, type RoleQuery, type RoleRecord } from './role.calls.ts';

const route = getRouteApi('/_main/system/roles');
const rules: ListRules<never> = { sorts: ['name', 'updatedAt'], filters: {} as Record<never, undefined> };
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

/** Rights under a name (ROLE-01). */
export function RoleListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const query = useQuery(roleListQuery(queryOf(state) as RoleQuery));
  const [gone, setGone] = useState<RoleRecord>();
  const changed = () => client.invalidateQueries({ queryKey: ['role'] });
  const deleted = useDeleted();
  const remove = async ({ id }: RoleRecord) => {
    await call(deleteRoles, { query: { ids: [id] } });
    await changed();
    await deleted('role', 1, async () => {
      const back = await call(restoreRoles, { body: { ids: [id] } }, toldThere);
      await changed();
      return back;
    });
  };
  const columns = useMemo(
    (): Column<RoleRecord>[] => [
      {
        key: 'name',
        title: t('role.name'),
        width: 200,
        sortable: true,
        fixed: true,
        render: (r) => r.name,
        ...(access.can('editRole') ? { link: (r: RoleRecord) => `/system/users/editRole?id=${r.id}` } : {}),
      },
      {
        key: 'description',
        title: t('role.description'),
        width: 320,
        render: (r) => <span title={r.description}>{r.description || '–'}</span>,
      },
      { key: 'users', title: t('role.users'), width: 100, align: 'end', render: (r) => count(r.users) },
      { key: 'rights', title: t('role.rights'), width: 100, align: 'end', render: (r) => count(r.permissions.length) },
      {
        key: 'updatedAt',
        title: t('user.updated'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        render: (r) => moment(r.updatedAt),
      },
    ],
    [t, access],
  );
  const actions = useMemo(
    (): GridAction<RoleRecord>[] => [
      ...(access.can('editRole')
        ? [
            {
              key: 'edit',
              label: t('common.edit'),
              icon: <IconPencil {...icon} />,
              onOne: (r: RoleRecord) => void navigate({ to: '/system/users/editRole', search: { id: r.id } as never }),
            },
          ]
        : []),
      ...(access.can('deleteRole')
        ? [
            {
              key: 'delete',
              label: t('common.delete'),
              icon: <IconTrash {...icon} />,
              menuOnly: true as const,
              onOne: setGone,
            },
          ]
        : []),
    ],
    [t, access, navigate],
  );
  const add = access.can('addRole') && (
    <Button component={Link} to="/system/users/addRole" leftSection={<IconPlus size={15} stroke={2} />}>
      {t('role.add')}
    </Button>
  );
  return (
    <>
      <DataGrid<RoleRecord, never>
        name="role"
        title={t('menu.roles')}
        columns={columns}
        query={query}
        state={state}
        filters={[]}
        actions={actions}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(r) => r.name}
        searchLabel={t('role.search')}
        phone={(r) => ({
          title: r.name,
          sub: r.description,
          state: t('role.usersOf', { count: r.users, number: count(r.users) }),
          extra: moment(r.updatedAt),
        })}
        primary={add}
        empty={{
          icon: <IconShieldCheck size={20} stroke={1.5} />,
          title: t('role.none'),
          text: t('role.noneText'),
          action: add,
        }}
        noMatch={t('role.noMatch')}
        failure={t('role.listFailed')}
      />
      {gone && (
        <AskDialog
          title={t('role.deleteOne', { name: gone.name })}
          text={t('role.deleteText')}
          confirm={t('common.delete')}
          danger
          onClose={() => setGone(undefined)}
          onConfirm={() => remove(gone)}
        />
      )}
    </>
  );
}
