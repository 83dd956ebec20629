import { IconCloudDownload, IconCpu, IconDownload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import { fileAction } from '../../task/action/file-action.ts';
import { saveFrom } from '../../../kit/api/save-file.ts';
import { fileSize } from '../../../kit/upload/file.ts';
import { StorageMeter } from '../storage/storage-meter.tsx';
import {
  deleteFirmware,
  deleteOfficialFirmware,
  listFirmware,
  restoreFirmware,
  restoreOfficialFirmware,
  type Firmware,
} from './firmware.calls.ts';

const FirmwareDialog = lazy(() => import('./firmware-dialog.tsx'));
const FirmwareDeltas = lazy(() => import('./firmware-deltas.tsx'));
const paths = ['official', 'mine'] as const;
const columns: ListColumn<typeof listFirmware>[] = [
  { key: 'name', type: 'text', title: 'firmware.name', width: 170, sort: true, fixed: true, value: (f) => f.name },
  {
    key: 'version',
    type: 'code',
    title: 'firmware.version',
    width: 100,
    sort: true,
    phone: 'sub',
    value: (f) => f.version,
  },
  { key: 'least', type: 'code', title: 'firmware.least', width: 140, optional: true, value: (f) => f.least },
  { key: 'models', type: 'names', title: 'firmware.models', width: 160, value: (f) => f.models },
  {
    key: 'path',
    type: 'word',
    title: 'firmware.path',
    width: 90,
    sort: true,
    phone: 'state',
    value: (f) => `firmware.path.${f.path}`,
  },
  {
    key: 'size',
    type: 'number',
    title: 'firmware.size',
    width: 96,
    sort: true,
    value: (f) => f.size,
    show: (f) => fileSize(f.size),
  },
  { key: 'description', type: 'text', title: 'firmware.description', width: 190, value: (f) => f.description },
  { key: 'fileName', type: 'code', title: 'firmware.file', width: 200, optional: true, value: (f) => f.fileName },
  {
    key: 'notice',
    type: 'word',
    title: 'firmware.notice',
    width: 130,
    value: (f) => `firmware.whom.${f.notice.whom}`,
    words: {
      nobody: 'firmware.whom.nobody',
      company: 'firmware.whom.company',
      everybody: 'firmware.whom.everybody',
    },
  },
  {
    key: 'sha256',
    type: 'text',
    title: 'firmware.sha256',
    width: 150,
    optional: true,
    value: (f) => f.sha256,
    show: (f) => (
      <code className="ellipsis" title={f.sha256}>
        {f.sha256}
      </code>
    ),
  },
  { key: 'noticeAt', type: 'moment', title: 'firmware.noticeAt', optional: true, value: (f) => f.notice.at },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (f) => f.updatedAt },
];

/** Lists official firmware and that of the company (STORE-01). */
export function FirmwareListPage() {
  const access = useAccess();
  const navigate = useNavigate();
  const upgrade = useActions().find(({ key }) => key === fileAction('firmware'));
  /** Only the installation's operator changes official versions. */
  const may = ({ path }: Firmware) => path === 'mine' || access.can('officialFirmware');
  return (
    <ListPage
      name="firmware"
      route="/_main/resources/firmwares"
      list={listFirmware}
      service="resource"
      title="menu.firmware"
      icon={IconCpu}
      texts="firmware"
      columns={columns}
      filters={[
        {
          key: 'path',
          title: 'firmware.path',
          values: paths,
          word: (value: (typeof paths)[number]) => `firmware.path.${value}`,
        },
        { key: 'name', kind: 'text', title: 'firmware.name' },
        { key: 'version', kind: 'text', title: 'firmware.version' },
        { key: 'description', kind: 'text', empties: true, title: 'firmware.description' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(f) => `${f.name} ${f.version}`}
      add={{ label: 'firmware.add', right: 'addFirmware', href: '/resources/firmwares/uploadFirmWare' }}
      strip={<StorageMeter list="firmware" />}
      drawer={{
        parameter: 'firmware',
        more: (firmware) => (
          <>
            {firmware.damaged && <Damaged />}
            <FirmwareDeltas
              firmware={firmware}
              may={access.can(firmware.path === 'mine' ? 'editFirmware' : 'officialFirmware')}
            />
          </>
        ),
      }}
      edit={{
        right: 'editFirmware',
        when: may,
        dialog: (firmware, close) => <FirmwareDialog firmware={firmware} onClose={close} />,
      }}
      actions={[
        ...(upgrade
          ? [
              {
                key: 'upgrade',
                label: 'firmware.upgrade',
                icon: IconCloudDownload,
                run: ({ record }: { record?: Firmware | undefined }) =>
                  void navigate({ to: '/task/addTask', search: { action: upgrade.key, file: record!.id } as never }),
              } as const,
            ]
          : []),
        {
          key: 'download',
          label: 'firmware.download',
          icon: IconDownload,
          run: ({ record }) => {
            if (record) void saveFrom(record.url, record.fileName);
          },
        },
      ]}
      remove={{
        right: 'deleteFirmware',
        when: may,
        dialog: (firmware, close) => <Delete of={firmware} onClose={close} />,
      }}
    />
  );
}

function Damaged() {
  const { t } = useText();
  return <p role="alert">{t('firmware.damaged')}</p>;
}

function Delete({ of, onClose }: { of: Firmware; onClose: () => void }) {
  const { t } = useText();
  const own = of.path === 'mine';
  return (
    <DeleteDialog
      noun="firmware"
      name={`${of.name} ${of.version}`}
      text={t(own ? 'firmware.deleteText' : 'firmware.deleteOfficialText')}
      remove={() => call(own ? deleteFirmware : deleteOfficialFirmware, { query: { id: of.id } })}
      restore={() => call(own ? restoreFirmware : restoreOfficialFirmware, { body: { ids: [of.id] } })}
      onClose={onClose}
    />
  );
}
