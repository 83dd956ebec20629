import { useNavigate } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { lazy } from '../../../kit/part/lazy.tsx';
import { closeTab } from '../../../kit/session/tabs.ts';
import { pageTexts } from '../../../kit/text/text.ts';

const dialogs = () => pageTexts().then(() => import('./device-dialogs.ts'));
const RenewSecret = lazy(() => pageTexts().then(() => import('./renew-secret.tsx')));
const ReplaceDevice = lazy(() => dialogs().then((loaded) => ({ default: loaded.ReplaceDevice })));
const DeviceAccess = lazy(() => dialogs().then((loaded) => ({ default: loaded.DeviceAccess })));
const OpenAccess = lazy(() => dialogs().then((loaded) => ({ default: loaded.OpenAccess })));
const RenameDevice = lazy(() => import('./rename-device.tsx'));
const EditDevices = lazy(() => dialogs().then((loaded) => ({ default: loaded.EditDevices })));
const AssignSite = lazy(() => dialogs().then((loaded) => ({ default: loaded.AssignSite })));
const GroupMembers = lazy(() => dialogs().then((loaded) => ({ default: loaded.GroupMembers })));
const EditTags = lazy(() => dialogs().then((loaded) => ({ default: loaded.EditTags })));
const DeleteDevices = lazy(() => dialogs().then((loaded) => ({ default: loaded.DeleteDevices })));

/** What the buttons and the menu of a device ask for. */
export type DetailRequest =
  | 'renew'
  | 'replace'
  | 'rename'
  | 'organization'
  | 'site'
  | 'tags'
  | 'addGroup'
  | 'removeGroup'
  | 'access'
  | 'openAccess'
  | 'delete';

/** The dialog that was asked for. */
export function DetailDialog({
  device,
  asked,
  onClose,
}: {
  device: DeviceRecord;
  asked: DetailRequest | undefined;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const own = { target: { ids: [device.id] }, count: 1 };
  switch (asked) {
    case undefined:
      return null;
    case 'renew':
      return <RenewSecret device={device} onClose={onClose} />;
    case 'replace':
      return <ReplaceDevice device={device} onClose={onClose} />;
    case 'access':
      return <DeviceAccess device={device} onClose={onClose} />;
    case 'openAccess':
      return <OpenAccess ids={[device.id]} name={device.name} onClose={onClose} />;
    case 'rename':
      return <RenameDevice device={device} onClose={onClose} />;
    case 'organization':
      return <EditDevices request={{ ...own, device }} organization onClose={onClose} />;
    case 'site':
      return <AssignSite request={{ ...own, name: device.name, site: device.site?.id }} onClose={onClose} />;
    case 'tags':
      return <EditTags request={{ ...own, device }} onClose={onClose} />;
    case 'addGroup':
      return <GroupMembers request={{ ...own, change: 'add', device }} onClose={onClose} />;
    case 'removeGroup':
      return <GroupMembers request={{ ...own, change: 'remove', device }} onClose={onClose} />;
    case 'delete':
      return (
        <DeleteDevices
          request={{ ...own, name: device.name }}
          onClose={onClose}
          onDone={() => {
            closeTab(`/device/deviceDetail?id=${device.id}`);
            void navigate({ to: '/device/list', search: {} as never, replace: true });
          }}
        />
      );
  }
}
