import { IconCheck, IconDevices } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { modelTypes, type ModelType } from '@carillon/contracts/models';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deleteModel, listModels, restoreModels, type Model } from './model.calls.ts';
import css from './model.module.css';

const ModelMore = lazy(() => import('./model-more.tsx'));

const number = (
  key: 'sipCount' | 'doorCount' | 'softDssKeys',
  width: number,
): ListColumn<typeof listModels> & { type: 'number' } => ({
  key,
  type: 'number',
  title: `model.${key}`,
  width,
  sort: true,
  value: (m) => m[key],
});
const keys = (
  key: 'dssKeysPerPage' | 'dssKeyPages' | 'sideKeysPerPage' | 'sideKeyPages',
): ListColumn<typeof listModels> => ({
  key,
  type: 'number',
  title: `model.${key}`,
  width: 150,
  optional: true,
  value: (m) => m[key],
});
const whether = (key: 'secondScreen' | 'mutualAuth', width: number): ListColumn<typeof listModels> => ({
  key,
  type: 'word',
  title: `model.${key}`,
  width,
  optional: true,
  value: (m) => (m[key] === null ? 'model.unknown' : m[key] ? 'common.yes' : 'common.no'),
});

const columns: ListColumn<typeof listModels>[] = [
  { key: 'name', type: 'text', title: 'model.name', width: 150, sort: true, fixed: true, value: (m) => m.name },
  { key: 'showName', type: 'text', title: 'model.showName', width: 130, sort: true, value: (m) => m.showName },
  { key: 'series', type: 'text', title: 'model.series', width: 110, sort: true, phone: 'sub', value: (m) => m.series },
  {
    key: 'type',
    type: 'word',
    title: 'model.type',
    width: 96,
    sort: true,
    phone: 'state',
    value: (m) => `model.type.${m.type}`,
  },
  number('sipCount', 84),
  number('doorCount', 80),
  number('softDssKeys', 90),
  {
    key: 'devices',
    type: 'number',
    title: 'model.devices',
    width: 86,
    sort: true,
    live: true,
    value: (m) => m.devices,
    show: (m) => <DeviceCount model={m} />,
  },
  {
    key: 'supplied',
    type: 'word',
    title: 'model.source',
    width: 110,
    phone: 'extra',
    value: (m) => (m.supplied ? 'model.supplied' : m.confirmed ? 'model.own' : 'model.unconfirmed'),
  },
  {
    key: 'internalName',
    type: 'code',
    title: 'model.internalName',
    width: 160,
    optional: true,
    value: (m) => m.internalName,
  },
  keys('dssKeysPerPage'),
  keys('dssKeyPages'),
  keys('sideKeysPerPage'),
  keys('sideKeyPages'),
  whether('secondScreen', 140),
  whether('mutualAuth', 180),
  {
    key: 'picture',
    type: 'text',
    title: 'model.picture',
    width: 90,
    optional: true,
    unwritten: true,
    value: () => null,
    show: (m) => (m.picture === null ? null : <img className={css.small} src={m.picture} alt={m.name} />),
  },
  { key: 'updatedAt', type: 'moment', title: 'model.updated', sort: true, optional: true, value: (m) => m.updatedAt },
];

/** Links to the model's devices for users who may list devices. */
function DeviceCount({ model }: { model: Model }) {
  const mayList = useGranted('/device/list');
  if (!mayList || model.devices === 0) return <>{count(model.devices)}</>;
  return (
    <Link to="/device/list" search={{ model: [model.name] } as never}>
      {count(model.devices)}
    </Link>
  );
}

/** Lists the models of devices (CFG-03): supplied ones and those of the company. */
export function ModelListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  return (
    <ListPage
      name="model"
      service="device"
      route="/_main/model/list"
      list={listModels}
      title="menu.models"
      icon={IconDevices}
      texts="model"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'model.name' },
        {
          key: 'type',
          title: 'model.type',
          values: modelTypes,
          word: (value: ModelType): TextKey => `model.type.${value}`,
        },
        {
          key: 'supplied',
          title: 'model.source',
          kind: 'flag',
          values: ['true', 'false'],
          word: (value: 'true' | 'false'): TextKey => (value === 'true' ? 'model.supplied' : 'model.own'),
        },
        {
          key: 'confirmed',
          title: 'model.confirmed',
          kind: 'flag',
          values: ['true', 'false'],
          word: (value: 'true' | 'false'): TextKey => (value === 'true' ? 'common.yes' : 'common.no'),
        },
        { key: 'series', title: 'model.series', kind: 'text', empties: true },
        { key: 'sipCount', title: 'model.sipCount', kind: 'number', empties: true },
        { key: 'doorCount', title: 'model.doorCount', kind: 'number', empties: true },
        { key: 'softDssKeys', title: 'model.softDssKeys', kind: 'number', empties: true },
        { key: 'updatedAt', kind: 'moment', empties: true, title: 'model.updated' },
        ...(['secondScreen', 'mutualAuth'] as const).map((key) => ({
          key,
          title: `model.${key}` as const,
          kind: 'flag' as const,
          empties: true as const,
          values: ['true', 'false'],
          word: (value: 'true' | 'false'): TextKey => (value === 'true' ? 'common.yes' : 'common.no'),
        })),
      ]}
      label={(m) => m.name}
      add={{ label: 'model.add', right: 'addModel', href: '/model/addModel' }}
      drawer={{ parameter: 'opened', more: (m) => <ModelMore model={m} /> }}
      actions={[
        {
          key: 'confirm',
          label: 'model.confirm',
          icon: IconCheck,
          right: 'addModel',
          when: (m) => !m.confirmed,
          run: ({ record }) => void navigate({ to: '/model/addModel', search: { name: record!.name } as never }),
        },
      ]}
      edit={{ right: 'editModel', when: (m) => !m.supplied && m.confirmed, href: (m) => `/model/editModel?id=${m.id}` }}
      remove={{
        right: 'deleteModel',
        when: (m) => !m.supplied && m.confirmed,
        dialog: ({ id, name, devices }, close) => (
          <DeleteDialog
            noun="model"
            name={name}
            text={t('model.deleteText')}
            stays={devices === 0 ? undefined : t('model.deleteUsed', { count: devices, number: count(devices) })}
            remove={() => call(deleteModel, { query: { id } })}
            restore={() => call(restoreModels, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
