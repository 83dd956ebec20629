import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBan,
  IconBuilding,
  IconCircleCheck,
  IconDots,
  IconEdit,
  IconMapPin,
  IconPencil,
  IconPlugConnected,
  IconRefresh,
  IconStackPop,
  IconStackPush,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { DeviceRecord } from '@carillon/contracts';
import { useAccess } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { DetailRequest } from './device-detail-dialog.tsx';

/** The entries that open a dialog: permission, request, name and icon. */
const entries = [
  ['editDevice', 'rename', 'device.rename', IconPencil],
  ['editDevice', 'organization', 'device.assignOrganization', IconBuilding],
  ['editDevice', 'site', 'device.assignSite', IconMapPin],
  ['editDevice', 'tags', 'device.editTags', IconTag],
  ['editDevice', 'addGroup', 'device.addToGroup', IconStackPush],
  ['editDevice', 'removeGroup', 'device.removeFromGroup', IconStackPop],
  ['disableDevice', 'access', 'device.disable', IconBan],
  ['renewDeviceSecret', 'openAccess', 'device.openAccess', IconPlugConnected],
  ['replaceDevice', 'replace', 'device.replace', IconRefresh],
  ['deleteDevice', 'delete', 'device.delete', IconTrash],
] as const;

/** The menu of further actions for a device. */
export function DetailMenu({ device, onAsk }: { device: DeviceRecord; onAsk: (asked: DetailRequest) => void }) {
  const { t } = useText();
  const access = useAccess();
  const allowed = entries.filter(([right]) => access.can(right));
  if (allowed.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" size={30} aria-label={t('common.more')} title={t('common.more')}>
          <IconDots size={16} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {access.can('editDevice') && (
          <Menu.Item
            component={Link}
            to="/device/editDevice"
            search={{ id: device.id } as never}
            leftSection={<IconEdit size={15} stroke={1.75} />}
          >
            {t('menu.editDevice')}
          </Menu.Item>
        )}
        {allowed
          .filter(([, asked]) => asked !== 'removeGroup' || device.groups.length > 0)
          .map(([, asked, text, Entry]) => {
            const enables = asked === 'access' && !device.enabled;
            const Icon = enables ? IconCircleCheck : Entry;
            return (
              <Menu.Item key={asked} leftSection={<Icon size={15} stroke={1.75} />} onClick={() => onAsk(asked)}>
                {t(enables ? 'device.enable' : text)}
              </Menu.Item>
            );
          })}
      </Menu.Dropdown>
    </Menu>
  );
}
