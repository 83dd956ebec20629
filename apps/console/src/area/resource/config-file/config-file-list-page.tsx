import { IconDownload, IconFileSettings, IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
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
  contentPath,
  deleteConfigFile,
  listConfigFiles,
  restoreConfigFiles,
  type ConfigFile,
} from './config-file.calls.ts';

const ConfigFileDialog = lazy(() => import('./config-file-dialog.tsx'));
const columns: ListColumn<typeof listConfigFiles>[] = [
  { key: 'name', type: 'text', title: 'configFile.name', width: 180, sort: true, fixed: true, value: (c) => c.name },
  { key: 'models', type: 'names', title: 'configFile.models', width: 150, value: (c) => c.models },
  {
    key: 'fileName',
    type: 'code',
    title: 'configFile.file',
    width: 170,
    sort: true,
    phone: 'sub',
    value: (c) => c.fileName,
  },
  { key: 'version', type: 'number', title: 'configFile.version', width: 90, sort: true, value: (c) => c.version },
  {
    key: 'size',
    type: 'number',
    title: 'configFile.size',
    width: 100,
    sort: true,
    value: (c) => c.size,
    show: (c) => fileSize(c.size),
  },
  { key: 'description', type: 'text', title: 'configFile.description', width: 246, value: (c) => c.description },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (c) => c.updatedAt },
];

/** Lists configuration files for devices (TASK-02), without their content. */
export function ConfigFileListPage() {
  const navigate = useNavigate();
  const send = useActions().find(({ key }) => key === fileAction('configFile'));
  return (
    <ListPage
      name="configFile"
      route="/_main/resources/configFiles"
      list={listConfigFiles}
      service="resource"
      title="menu.configFiles"
      icon={IconFileSettings}
      texts="configFile"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'configFile.name' },
        { key: 'models', kind: 'text', empties: true, title: 'configFile.models' },
        { key: 'fileName', kind: 'text', title: 'configFile.file' },
        { key: 'description', kind: 'text', empties: true, title: 'configFile.description' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(c) => c.name}
      add={{ label: 'configFile.add', right: 'addConfigFile', href: '/resources/configFiles/uploadConfigFile' }}
      strip={<StorageMeter list="configFile" />}
      drawer={{ parameter: 'config' }}
      edit={{
        right: 'editConfigFile',
        dialog: (config, close) => <ConfigFileDialog config={config} onClose={close} />,
      }}
      actions={[
        ...(send
          ? [
              {
                key: 'send',
                label: 'configFile.send',
                icon: IconSend,
                run: ({ record }: { record?: ConfigFile | undefined }) =>
                  void navigate({ to: '/task/addTask', search: { action: send.key, file: record!.id } as never }),
              } as const,
            ]
          : []),
        {
          key: 'download',
          label: 'configFile.download',
          icon: IconDownload,
          right: 'downloadConfigFile',
          run: ({ record }) => {
            if (record) void saveFrom(contentPath(record.id), record.fileName);
          },
        },
      ]}
      remove={{ right: 'deleteConfigFile', dialog: (config, close) => <Delete of={config} onClose={close} /> }}
    />
  );
}

function Delete({ of, onClose }: { of: ConfigFile; onClose: () => void }) {
  const { t } = useText();
  return (
    <DeleteDialog
      noun="configFile"
      name={of.name}
      text={t('configFile.deleteText')}
      remove={() => call(deleteConfigFile, { query: { id: of.id } })}
      restore={() => call(restoreConfigFiles, { body: { ids: [of.id] } })}
      onClose={onClose}
    />
  );
}
