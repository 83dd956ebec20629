import { useMemo, useState } from 'react';
import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core';
import { IconArrowsTransferDown, IconBuilding, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { listOrganizations, RouteCall, RouteOutput } from '@carillon/contracts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { Column, GridAction } from '../../../kit/grid/grid.types.ts';
import { queryOf, readList, writeList, type ListRules } from '../../../kit/grid/search.ts';
import { AskDialog } from '../../../kit/part/ask-dialog.tsx';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { useAccess, useOrganizations } from '../../../kit/session/access.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { known } from '../../../kit/session/known.ts';
import { useDeleted } from '../../../kit/part/deleted.ts';
import { toldThere } from '../../../kit/part/told.ts';
import { count } from '../../../kit/text/text.ts';
import { moment, zoneName } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import css from '../../../kit/part/dialog.module.css';

const route = getRouteApi('/_main/system/organization');
const list = remote('listOrganizations', 'GET /api/f/mc/org/list');
const names = remote('listOrganizationNames', 'GET /api/f/mc/org');
const add = remote('addOrganization', 'POST /api/f/mc/org/insert');
const edit = remote('editOrganization', 'PUT /api/f/mc/org/edit');
const remove = remote('deleteOrganization', 'POST /api/f/mc/org/delete');
const restore = remote('restoreOrganizations', 'POST /api/f/mc/org/restore');
const transfer = remote('transferOrganization', 'POST /api/f/mc/org/transferOrg');

type Query = NonNullable<RouteCall<typeof listOrganizations>['query']>;
type Organization = RouteOutput<typeof listOrganizations>['records'][number];
const rules: ListRules<never> = {
  sorts: ['name', 'users', 'devices', 'updatedAt'],
  filters: {} as Record<never, undefined>,
};
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;

/** Parts of the company, with who and what is in each (ORG-01). */
export function OrganizationListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const access = useAccess();
  const search = route.useSearch();
  const state = useMemo(() => readList(search, rules), [search]);
  const request = queryOf(state) as Query;
  const query = useQuery({
    queryKey: ['organization', 'list', request],
    queryFn: ({ signal }) => call(list, { query: request }, { signal }),
    placeholderData: keepPreviousData,
  });
  const [edited, setEdited] = useState<Organization | 'new'>();
  const [gone, setGone] = useState<Organization>();
  const [moved, setMoved] = useState<Organization>();
  const changed = async () => {
    await client.invalidateQueries({ queryKey: ['organization'] });
    await client.invalidateQueries({ queryKey: ['session', 'organizations'] });
  };
  const deleted = useDeleted();
  const removeIt = async ({ id }: Organization) => {
    await call(remove, { body: { id } });
    await changed();
    await deleted('organization', 1, async () => {
      const back = await call(restore, { body: { ids: [id] } }, toldThere);
      await known(id, () => call(names));
      await changed();
      return back;
    });
  };
  const columns = useMemo(
    (): Column<Organization>[] => [
      { key: 'name', title: t('organization.name'), width: 200, sortable: true, fixed: true, render: (o) => o.name },
      {
        key: 'description',
        title: t('organization.description'),
        width: 320,
        render: (o) => <span title={o.description}>{o.description || '–'}</span>,
      },
      {
        key: 'users',
        title: t('organization.users'),
        width: 100,
        sortable: true,
        align: 'end',
        render: (o) => (
          <Link to="/system/users" search={{ orgId: [o.id] } as never}>
            {count(o.users)}
          </Link>
        ),
        live: (o) => o.users,
      },
      {
        key: 'devices',
        title: t('organization.devices'),
        width: 100,
        sortable: true,
        align: 'end',
        render: (o) => count(o.devices),
        live: (o) => o.devices,
      },
      {
        key: 'updatedAt',
        title: t('user.updated'),
        hint: zoneName(),
        width: 158,
        sortable: true,
        render: (o) => moment(o.updatedAt),
      },
    ],
    [t],
  );
  const actions = useMemo(
    (): GridAction<Organization>[] => [
      ...(access.can('editOrganization')
        ? [{ key: 'edit', label: t('common.edit'), icon: <IconPencil {...icon} />, onOne: setEdited }]
        : []),
      ...(access.can('transferOrganization')
        ? [
            {
              key: 'transfer',
              label: t('organization.transfer'),
              icon: <IconArrowsTransferDown {...icon} />,
              onOne: setMoved,
            },
          ]
        : []),
      ...(access.can('deleteOrganization')
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
    [t, access],
  );
  const addButton = access.can('addOrganization') && (
    <Button leftSection={<IconPlus size={15} stroke={2} />} onClick={() => setEdited('new')}>
      {t('organization.add')}
    </Button>
  );
  const full = gone !== undefined && gone.users + gone.devices > 0;
  return (
    <>
      <DataGrid<Organization, never>
        name="organization"
        title={t('menu.organizations')}
        columns={columns}
        query={query}
        state={state}
        filters={[]}
        actions={actions}
        onState={(next) => void navigate({ to: '.', search: writeList(next) as never })}
        label={(o) => o.name}
        searchLabel={t('organization.search')}
        phone={(o) => ({
          title: o.name,
          sub: o.description,
          state: t('organization.contents', { users: count(o.users), devices: count(o.devices) }),
          extra: moment(o.updatedAt),
        })}
        {...(access.can('editOrganization') ? { onOpen: setEdited } : {})}
        primary={addButton}
        empty={{
          icon: <IconBuilding size={20} stroke={1.5} />,
          title: t('organization.none'),
          text: t('organization.noneText'),
          action: addButton,
        }}
        noMatch={t('organization.noMatch')}
        failure={t('organization.listFailed')}
      />
      {edited !== undefined && (
        <OrganizationDialog
          organization={edited === 'new' ? undefined : edited}
          onDone={changed}
          onClose={() => setEdited(undefined)}
        />
      )}
      {moved && <TransferDialog organization={moved} onDone={changed} onClose={() => setMoved(undefined)} />}
      {gone &&
        (full ? (
          <Modal
            opened
            onClose={() => setGone(undefined)}
            title={t('organization.deleteOne', { name: gone.name })}
            withCloseButton={false}
          >
            <p className={css.effect}>
              {t('organization.notEmpty', { users: count(gone.users), devices: count(gone.devices) })}
            </p>
            <div className={css.buttons}>
              <Button variant="default" onClick={() => setGone(undefined)}>
                {t('common.cancel')}
              </Button>
              {access.can('transferOrganization') && (
                <Button
                  data-autofocus
                  onClick={() => {
                    setMoved(gone);
                    setGone(undefined);
                  }}
                >
                  {t('organization.transfer')}
                </Button>
              )}
            </div>
          </Modal>
        ) : (
          <AskDialog
            title={t('organization.deleteOne', { name: gone.name })}
            text={t('organization.deleteText')}
            confirm={t('common.delete')}
            danger
            onClose={() => setGone(undefined)}
            onConfirm={() => removeIt(gone)}
          />
        ))}
    </>
  );
}

function OrganizationDialog({
  organization,
  onDone,
  onClose,
}: {
  organization: Organization | undefined;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const { values, set, fault, submit, refusal, busy } = useForm({
    name: organization?.name ?? '',
    description: organization?.description ?? '',
  });
  const save = async () => {
    const body = { name: values.name.trim(), description: values.description.trim() };
    if (organization) await call(edit, { body: { id: organization.id, ...body } });
    // Named to this user once those who keep users and who let calls in have heard of it.
    else {
      const { id } = await call(add, { body });
      await known(id, () => call(names));
    }
    await onDone();
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={organization ? t('organization.editOne', { name: organization.name }) : t('organization.add')}
      withCloseButton={false}
    >
      <form
        onSubmit={submit(() => (values.name.trim() === '' ? { name: t('organization.nameMissing') } : {}), save)}
        noValidate
        style={{ display: 'grid', gap: 12 }}
      >
        <TextInput
          name="name"
          label={t('organization.name')}
          maxLength={64}
          value={values.name}
          onChange={(e) => set({ name: e.currentTarget.value })}
          error={fault('name')}
          autoComplete="off"
          data-autofocus
        />
        <Textarea
          name="description"
          label={t('organization.description')}
          maxLength={256}
          value={values.description}
          onChange={(e) => set({ description: e.currentTarget.value })}
          autosize
          minRows={2}
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t(organization ? 'common.save' : 'organization.add')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function TransferDialog({
  organization,
  onDone,
  onClose,
}: {
  organization: Organization;
  onDone: () => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useText();
  const { data: organizations } = useOrganizations();
  const { values, set, fault, submit, refusal, busy } = useForm({ to: '' });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('organization.transferOne', { name: organization.name })}
      withCloseButton={false}
    >
      <form
        noValidate
        onSubmit={submit(
          () => (values.to === '' ? { to: t('organization.targetMissing') } : {}),
          async () => {
            await call(transfer, { body: { id: organization.id, to: values.to } });
            await onDone();
            onClose();
          },
        )}
      >
        <p className={css.effect}>
          {t('organization.transferText', { users: count(organization.users), devices: count(organization.devices) })}
        </p>
        <Select
          name="to"
          label={t('organization.target')}
          data={(organizations ?? [])
            .filter((o) => o.id !== organization.id)
            .map((o) => ({ value: o.id, label: o.name }))}
          value={values.to === '' ? null : values.to}
          onChange={(v) => set({ to: v ?? '' })}
          error={fault('to')}
          data-autofocus
        />
        <RefusalBox refusal={refusal} />
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('organization.transfer')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
