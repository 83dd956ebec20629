import { useEffect, useState } from 'react';
import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconBan,
  IconBuilding,
  IconChevronRight,
  IconCircleCheck,
  IconDots,
  IconEdit,
  IconKey,
  IconMapPin,
  IconPencil,
  IconRefresh,
  IconStackPop,
  IconStackPush,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { actionRequest, useActions, type ActionRequest } from '../../task/action/actions.tsx';
import { Failed } from '../../../kit/grid/states.tsx';
import { LiveMark } from '../../../kit/live/live-mark.tsx';
import { StateWord } from '../../../kit/part/state.tsx';
import { useTitle } from '../../../kit/part/use-title.ts';
import { useAccess, useGranted } from '../../../kit/session/access.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { closeTab, nameTab } from '../../../kit/session/tabs.ts';
import { deviceQuery } from '../record/device.calls.ts';
import { DeviceFacts, Identity, LineTable } from './device-parts.tsx';
import { DeviceTasks } from './device-tasks.tsx';
import { SiteOffer } from './site-offer.tsx';
import css from './device-detail-page.module.css';

const route = getRouteApi('/_main/device/deviceDetail');

const ActionDialog = lazy(() => pageTexts().then(() => import('../../task/action/action-dialog.tsx')));
const RenewSecret = lazy(() => pageTexts().then(() => import('./renew-secret.tsx')));
const dialogs = () => pageTexts().then(() => import('./device-dialogs.ts'));
const ReplaceDevice = lazy(() => dialogs().then((of) => ({ default: of.ReplaceDevice })));
const DeviceAccess = lazy(() => dialogs().then((of) => ({ default: of.DeviceAccess })));
const DisabledNote = lazy(() =>
  pageTexts()
    .then(() => import('./device-access.tsx'))
    .then((file) => ({ default: file.DisabledNote })),
);
const LineProblem = lazy(() => pageTexts().then(() => import('../line/line-problem.tsx')));
const SharedNote = lazy(() => pageTexts().then(() => import('./shared-note.tsx')));
const RenameDevice = lazy(() => import('./rename-device.tsx'));
const EditDevices = lazy(() => dialogs().then((of) => ({ default: of.EditDevices })));
const AssignSite = lazy(() => dialogs().then((of) => ({ default: of.AssignSite })));
const GroupMembers = lazy(() => dialogs().then((of) => ({ default: of.GroupMembers })));
const EditTags = lazy(() => dialogs().then((of) => ({ default: of.EditTags })));
const DeviceLogTab = lazy(() => pageTexts().then(() => import('../device-log/device-log-tab.tsx')));
const DeviceLines = lazy(() => pageTexts().then(() => import('../line/device-lines.tsx')));
const DeviceConfigCard = lazy(() => pageTexts().then(() => import('../device-config/device-config.tsx')));
const DeviceDoors = lazy(() => pageTexts().then(() => import('../door/device-doors.tsx')));
const DeviceBaseline = lazy(() => pageTexts().then(() => import('./device-baseline.tsx')));
const DeleteDevices = lazy(() => dialogs().then((of) => ({ default: of.DeleteDevices })));

/** Permissions with an entry in the menu of further actions. */
const menuRights = ['editDevice', 'disableDevice', 'replaceDevice', 'deleteDevice'] as const;

/** The views of the page besides the first one. */
export type DeviceTab = 'tasks' | 'log';

export function DeviceDetailPage() {
  const { t } = useText();
  const { id, tab } = route.useSearch();
  const query = useQuery(deviceQuery(id));
  const device = query.data;
  // Door actions have their buttons at each door.
  const usable = useActions().filter((a) => a.needs !== 'doors');
  const access = useAccess();
  const tasks = useGranted('/task/list');
  const log = useGranted('/device/deviceLog');
  const baselines = useGranted('/task/baseline');
  const [request, setRequest] = useState<ActionRequest>();
  const [asked, setAsked] = useState<
    'renew' | 'replace' | 'rename' | 'organization' | 'site' | 'tags' | 'addGroup' | 'removeGroup' | 'access' | 'delete'
  >();
  const navigate = useNavigate();
  useTitle(device?.name ?? t('device.detail'));
  const name = device?.name;
  useEffect(() => {
    if (name !== undefined) nameTab(`/device/deviceDetail?id=${id}`, name);
  }, [name, id]);

  if (query.isError && !device)
    return (
      <div className={css.failed}>
        <Failed text={t('device.failed')} error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  if (!device) return <div className={css.failed} aria-busy="true" />;
  const actions = usable.filter((a) => !device.unsupported.includes(a.key));
  return (
    <div className={css.page}>
      <header className={css.head}>
        <nav aria-label={t('common.path')} className={css.crumbs}>
          <Link to="/device/list" search={{} as never}>
            {t('menu.devices')}
          </Link>
          <IconChevronRight size={14} stroke={1.75} aria-hidden />
          <span>{device.model}</span>
        </nav>
        <div className={css.title}>
          <h1>{device.name}</h1>
          <StateWord state={device.state} />
          <LiveMark />
          <span className={css.spring} />
          <div className={css.actions}>
            {access.can('renewDeviceSecret') && (
              <Button
                variant="default"
                leftSection={<IconKey size={15} stroke={1.75} />}
                onClick={() => setAsked('renew')}
              >
                {t('device.renewSecret')}
              </Button>
            )}
            {actions.map((a, i) => (
              <Button
                key={a.key}
                {...(i < actions.length - 1 ? { variant: 'default' } : {})}
                leftSection={a.icon}
                onClick={() => setRequest(actionRequest(a.key, { ids: [device.id] }, 1, device.name))}
              >
                {a.label}
              </Button>
            ))}
            {menuRights.some((right) => access.can(right)) ? (
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
                  {access.can('editDevice') && (
                    <Menu.Item leftSection={<IconPencil size={15} stroke={1.75} />} onClick={() => setAsked('rename')}>
                      {t('device.rename')}
                    </Menu.Item>
                  )}
                  {access.can('editDevice') && (
                    <Menu.Item
                      leftSection={<IconBuilding size={15} stroke={1.75} />}
                      onClick={() => setAsked('organization')}
                    >
                      {t('device.assignOrganization')}
                    </Menu.Item>
                  )}
                  {access.can('editDevice') && (
                    <Menu.Item leftSection={<IconMapPin size={15} stroke={1.75} />} onClick={() => setAsked('site')}>
                      {t('device.assignSite')}
                    </Menu.Item>
                  )}
                  {access.can('editDevice') && (
                    <Menu.Item leftSection={<IconTag size={15} stroke={1.75} />} onClick={() => setAsked('tags')}>
                      {t('device.editTags')}
                    </Menu.Item>
                  )}
                  {access.can('editDevice') && (
                    <Menu.Item
                      leftSection={<IconStackPush size={15} stroke={1.75} />}
                      onClick={() => setAsked('addGroup')}
                    >
                      {t('device.addToGroup')}
                    </Menu.Item>
                  )}
                  {access.can('editDevice') && device.groups.length > 0 && (
                    <Menu.Item
                      leftSection={<IconStackPop size={15} stroke={1.75} />}
                      onClick={() => setAsked('removeGroup')}
                    >
                      {t('device.removeFromGroup')}
                    </Menu.Item>
                  )}
                  {access.can('disableDevice') && (
                    <Menu.Item
                      leftSection={
                        device.enabled ? (
                          <IconBan size={15} stroke={1.75} />
                        ) : (
                          <IconCircleCheck size={15} stroke={1.75} />
                        )
                      }
                      onClick={() => setAsked('access')}
                    >
                      {t(device.enabled ? 'device.disable' : 'device.enable')}
                    </Menu.Item>
                  )}
                  {access.can('replaceDevice') && (
                    <Menu.Item
                      leftSection={<IconRefresh size={15} stroke={1.75} />}
                      onClick={() => setAsked('replace')}
                    >
                      {t('device.replace')}
                    </Menu.Item>
                  )}
                  {access.can('deleteDevice') && (
                    <Menu.Item leftSection={<IconTrash size={15} stroke={1.75} />} onClick={() => setAsked('delete')}>
                      {t('device.delete')}
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </div>
        </div>
        <Identity device={device} />
        <nav className={css.tabs} aria-label={t('device.views')}>
          <Link to="/device/deviceDetail" search={{ id } as never} activeOptions={{ exact: true }} replace>
            {t('device.overview')}
          </Link>
          {tasks && (
            <Link
              to="/device/deviceDetail"
              search={{ id, tab: 'tasks' } as never}
              activeOptions={{ exact: true }}
              replace
            >
              {t('menu.tasks')}
            </Link>
          )}
          {log && (
            <Link
              to="/device/deviceDetail"
              search={{ id, tab: 'log' } as never}
              activeOptions={{ exact: true }}
              replace
            >
              {t('device.log')}
            </Link>
          )}
        </nav>
      </header>
      <div
        className={css.body}
        tabIndex={0}
        role="group"
        aria-label={t(tab === 'tasks' ? 'menu.tasks' : tab === 'log' ? 'device.log' : 'device.overview')}
      >
        <div className={css.main}>
          {tab === 'tasks' ? (
            <DeviceTasks id={id} />
          ) : tab === 'log' ? (
            <DeviceLogTab id={id} />
          ) : (
            <>
              {!device.enabled && <DisabledNote />}
              {device.sharedIdentity && <SharedNote places={device.sharedIdentity} />}
              <LineProblem device={device} />
              <SiteOffer device={device} />
              {device.doors.length > 0 && <DeviceDoors device={device} />}
              {access.can('assignSipAccount') ? <DeviceLines device={device} /> : <LineTable device={device} />}
              <DeviceConfigCard
                device={device}
                onSend={() =>
                  setRequest({
                    ...actionRequest('configUpdate', { ids: [device.id] }, 1, device.name),
                    params: { by: 'template' },
                  })
                }
              />
            </>
          )}
        </div>
        <aside className={css.rail} aria-label={t('device.facts')}>
          <h2>{t('device.facts')}</h2>
          <DeviceFacts device={device} baseline={baselines ? <DeviceBaseline key="b" id={device.id} /> : undefined} />
        </aside>
      </div>
      {request && <ActionDialog request={request} onClose={() => setRequest(undefined)} />}
      {asked === 'renew' && <RenewSecret device={device} onClose={() => setAsked(undefined)} />}
      {asked === 'replace' && <ReplaceDevice device={device} onClose={() => setAsked(undefined)} />}
      {asked === 'access' && <DeviceAccess device={device} onClose={() => setAsked(undefined)} />}
      {asked === 'rename' && <RenameDevice device={device} onClose={() => setAsked(undefined)} />}
      {asked === 'organization' && (
        <EditDevices
          request={{ target: { ids: [device.id] }, count: 1, device }}
          organization
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'site' && (
        <AssignSite
          request={{ target: { ids: [device.id] }, count: 1, name: device.name, site: device.site?.id }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'tags' && (
        <EditTags request={{ target: { ids: [device.id] }, count: 1, device }} onClose={() => setAsked(undefined)} />
      )}
      {(asked === 'addGroup' || asked === 'removeGroup') && (
        <GroupMembers
          request={{
            change: asked === 'addGroup' ? 'add' : 'remove',
            target: { ids: [device.id] },
            count: 1,
            device,
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'delete' && (
        <DeleteDevices
          request={{ target: { ids: [device.id] }, count: 1, name: device.name }}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            closeTab(`/device/deviceDetail?id=${id}`);
            void navigate({ to: '/device/list', search: {} as never, replace: true });
          }}
        />
      )}
    </div>
  );
}
