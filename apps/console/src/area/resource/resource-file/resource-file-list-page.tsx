import { IconDownload, IconFileDownload, IconFileMusic } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { resourceTypes } from '@carillon/contracts/constants';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { saveFrom } from '../../../kit/api/save-file.ts';
import { fileSize } from '../../../kit/upload/file.ts';
import { useActions } from '../../task/action/actions.tsx';
import { fileAction } from '../../task/action/file-action.ts';
import { StorageMeter } from '../storage/storage-meter.tsx';
import {
  deleteResourceFile,
  listResourceFiles,
  restoreResourceFiles,
  type ResourceFile,
} from './resource-file.calls.ts';

const ResourceFileDialog = lazy(() => import('./resource-file-dialog.tsx'));
const columns: ListColumn<typeof listResourceFiles>[] = [
  { key: 'name', type: 'text', title: 'resourceFile.name', width: 200, sort: true, fixed: true, value: (r) => r.name },
  {
    key: 'type',
    type: 'word',
    title: 'resourceFile.type',
    width: 140,
    sort: true,
    phone: 'state',
    value: (r) => `resourceFile.type.${r.type}`,
  },
  {
    key: 'fileNames',
    type: 'code',
    title: 'resourceFile.fileNames',
    width: 260,
    sort: true,
    phone: 'sub',
    value: (r) => r.fileNames,
  },
  {
    key: 'size',
    type: 'number',
    title: 'resourceFile.size',
    width: 110,
    sort: true,
    value: (r) => r.size,
    show: (r) => fileSize(r.size),
  },
  {
    key: 'description',
    type: 'text',
    title: 'resourceFile.description',
    width: 226,
    value: (r) => r.description,
  },
  {
    key: 'url',
    type: 'code',
    title: 'resourceFile.url',
    width: 260,
    optional: true,
    value: (r) => r.files.map(({ url }) => url).join(';'),
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (r) => r.updatedAt },
];

/** Lists language packs, images and ringtones (STORE-03). */
export function ResourceFileListPage() {
  const navigate = useNavigate();
  const send = useActions().find(({ key }) => key === fileAction('resourceFile'));
  return (
    <ListPage
      name="resourceFile"
      route="/_main/resources/fileLists"
      list={listResourceFiles}
      service="resource"
      title="menu.resourceFiles"
      icon={IconFileMusic}
      texts="resourceFile"
      columns={columns}
      filters={[
        {
          key: 'type',
          title: 'resourceFile.type',
          values: resourceTypes,
          word: (value: (typeof resourceTypes)[number]) => `resourceFile.type.${value}`,
        },
        { key: 'name', kind: 'text', title: 'resourceFile.name' },
        { key: 'fileNames', kind: 'text', title: 'resourceFile.fileNames' },
        { key: 'description', kind: 'text', empties: true, title: 'resourceFile.description' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(r) => r.name}
      add={{ label: 'resourceFile.add', right: 'addResourceFile', href: '/resources/fileLists/uploadResources' }}
      strip={<StorageMeter list="resourceFile" />}
      drawer={{ parameter: 'resource' }}
      edit={{
        right: 'editResourceFile',
        dialog: (resource, close) => <ResourceFileDialog resource={resource} onClose={close} />,
      }}
      actions={[
        ...(send
          ? [
              {
                key: 'send',
                label: 'resourceFile.send',
                icon: IconFileDownload,
                run: ({ record }: { record?: ResourceFile | undefined }) =>
                  void navigate({ to: '/task/addTask', search: { action: send.key, file: record!.id } as never }),
              } as const,
            ]
          : []),
        {
          key: 'download',
          label: 'resourceFile.download',
          icon: IconDownload,
          run: ({ record }) => {
            for (const { url, name } of record?.files ?? []) void saveFrom(url, name);
          },
        },
      ]}
      remove={{ right: 'deleteResourceFile', dialog: (resource, close) => <Delete of={resource} onClose={close} /> }}
    />
  );
}

function Delete({ of, onClose }: { of: ResourceFile; onClose: () => void }) {
  const { t } = useText();
  return (
    <DeleteDialog
      noun="resourceFile"
      name={of.name}
      text={t('resourceFile.deleteText')}
      remove={() => call(deleteResourceFile, { query: { id: of.id } })}
      restore={() => call(restoreResourceFiles, { body: { ids: [of.id] } })}
      onClose={onClose}
    />
  );
}
