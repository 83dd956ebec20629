import { IconSend, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { templateLevels, type TemplateLevel } from '@carillon/contracts/settings';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import type { TextKey } from '../../../kit/text/key.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { useActions } from '../../task/action/actions.tsx';
import {
  deleteConfigTemplate,
  listConfigTemplates,
  restoreConfigTemplates,
  templatePreviewQuery,
  type ConfigTemplate,
} from './config-template.calls.ts';
import { WaitingPhonesButton } from '../first-access/waiting-phones-button.tsx';
import { MacFileButton } from './mac-file-button.tsx';
import { sendDraft } from './send-draft.ts';
import { DeviceCount, TargetName, useSites } from './template-target.tsx';

const TemplateMore = lazy(() => import('./template-more.tsx'));

const number = (
  key: 'settings' | 'version',
  width: number,
): ListColumn<typeof listConfigTemplates> & { type: 'number' } => ({
  key,
  type: 'number',
  title: `configTemplate.${key}`,
  width,
  sort: true,
  value: (c) => c[key],
});

const columns: ListColumn<typeof listConfigTemplates>[] = [
  {
    key: 'name',
    type: 'text',
    title: 'configTemplate.name',
    width: 200,
    sort: true,
    fixed: true,
    value: (c) => c.name,
  },
  {
    key: 'level',
    type: 'word',
    title: 'configTemplate.level',
    width: 120,
    sort: true,
    phone: 'state',
    value: (c) => `configTemplate.level.${c.level}`,
  },
  {
    key: 'target',
    type: 'text',
    title: 'configTemplate.target',
    width: 150,
    sort: true,
    phone: 'sub',
    value: (c) => c.targetName,
    show: (c) => <TargetName template={c} />,
  },
  number('settings', 90),
  {
    key: 'devices',
    type: 'number',
    title: 'configTemplate.devices',
    width: 90,
    sort: true,
    live: true,
    value: (c) => c.devices,
    show: (c) => <DeviceCount template={c} />,
  },
  number('version', 84),
  {
    key: 'description',
    type: 'text',
    title: 'configTemplate.description',
    width: 246,
    optional: true,
    value: (c) => c.description,
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, value: (c) => c.updatedAt },
];

/** Lists the templates from which the configuration of devices is made (CFG-01). */
export function ConfigTemplateListPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const sites = useSites();
  const send = useActions().some(({ key }) => key === 'configUpdate');
  return (
    <ListPage
      name="configTemplate"
      route="/_main/setting"
      list={listConfigTemplates}
      service="provisioning"
      title="menu.configTemplates"
      icon={IconTemplate}
      texts="configTemplate"
      columns={columns}
      filters={[
        {
          key: 'level',
          title: 'configTemplate.level',
          values: templateLevels,
          word: (value: TemplateLevel): TextKey => `configTemplate.level.${value}`,
        },
        { key: 'name', kind: 'text', title: 'configTemplate.name' },
        { key: 'target', kind: 'text', empties: true, title: 'configTemplate.target' },
        { key: 'description', kind: 'text', empties: true, title: 'configTemplate.description' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(c) => c.name}
      phone={(c) => ({ extra: t('configTemplate.settingCount', { count: c.settings, number: count(c.settings) }) })}
      add={{ label: 'configTemplate.add', right: 'addConfigTemplate', href: '/setting/addTemplate' }}
      beside={
        <>
          <WaitingPhonesButton />
          <MacFileButton />
        </>
      }
      drawer={{ parameter: 'template', more: (c) => <TemplateMore template={c} /> }}
      edit={{ right: 'editConfigTemplate', href: (c) => `/setting/editTemplate?id=${c.id}` }}
      actions={
        send
          ? [
              {
                key: 'send',
                label: 'configTemplate.send',
                icon: IconSend,
                run: ({ record }) =>
                  void navigate({ to: '/task/addTask', search: { draft: sendDraft(record!, sites) } as never }),
              },
            ]
          : []
      }
      remove={{ right: 'deleteConfigTemplate', dialog: (template, close) => <Delete of={template} onClose={close} /> }}
    />
  );
}

function Delete({ of, onClose }: { of: ConfigTemplate; onClose: () => void }) {
  const { t } = useText();
  const changed = useQuery(templatePreviewQuery({ id: of.id })).data?.changed ?? 0;
  const effect = changed === 0 ? [] : [t('configVersion.deleteEffect', { count: changed, number: count(changed) })];
  return (
    <DeleteDialog
      noun="configTemplate"
      name={of.name}
      text={[...effect, t('configTemplate.deleteText')].join(' ')}
      // What devices are to have changes with it.
      renew={[['configTemplate'], ['device', 'config']]}
      remove={() => call(deleteConfigTemplate, { query: { id: of.id } })}
      restore={() => call(restoreConfigTemplates, { body: { ids: [of.id] } })}
      onClose={onClose}
    />
  );
}
