import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useGranted } from '../../../kit/api/access.ts';
import { call } from '../../../kit/api/call.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { BaselineBar } from './baseline-bar.tsx';
import { groupNamesQuery } from '../action/scope.ts';
import { deleteBaseline, listBaselines, restoreBaselines, scopeOf, type Baseline } from './baseline.calls.ts';

const BaselineDialog = lazy(() => import('./baseline-dialog.tsx'));
const BaselineDevices = lazy(() => import('./baseline-devices.tsx'));

const states = ['on', 'off', 'held', 'asked', 'refused', 'canceled', 'expired'] as const;
const stateOf = ({ active, held, approval }: Baseline): (typeof states)[number] =>
  !active ? 'off' : held ? 'held' : (approval?.state ?? 'on');
const columns: ListColumn<typeof listBaselines>[] = [
  { key: 'name', type: 'text', title: 'baseline.name', sort: true, width: 150, fixed: true, value: (b) => b.name },
  {
    key: 'state',
    type: 'word',
    title: 'baseline.state',
    width: 120,
    live: true,
    phone: 'state',
    value: (b) => `baseline.state.${stateOf(b)}`,
    words: Object.fromEntries(states.map((state) => [state, `baseline.state.${state}`])),
    show: (b) => <StateWord baseline={b} />,
  },
  {
    key: 'firmware',
    type: 'text',
    title: 'baseline.firmware',
    width: 130,
    phone: 'sub',
    value: (b) => b.firmware && `${b.firmware.name} ${b.firmware.version}`,
    show: (b) => <FirmwareName baseline={b} />,
  },
  {
    key: 'scope',
    type: 'word',
    title: 'baseline.scope',
    width: 90,
    optional: true,
    value: (b) => `baseline.scope.${scopeOf(b)}`,
    words: {
      model: 'baseline.scope.model',
      site: 'baseline.scope.site',
      group: 'baseline.scope.group',
      mac: 'baseline.scope.mac',
    },
  },
  {
    key: 'scopeName',
    type: 'text',
    title: 'baseline.scopeName',
    width: 120,
    value: (b) => b.mac ?? b.model ?? b.site?.name ?? b.groupId,
    show: (b) => <ScopeName baseline={b} />,
  },
  {
    key: 'window',
    type: 'text',
    title: 'baseline.window',
    width: 136,
    value: (b) => b.from && `${b.from} – ${b.to} ${b.timeZone}`,
    show: (b) => <Window baseline={b} />,
  },
  {
    key: 'onVersion',
    type: 'number',
    title: 'baseline.progress',
    width: 120,
    phone: 'extra',
    value: (b) => b.counts.onVersion,
    show: (b) => <BaselineBar baseline={b} />,
  },
  { key: 'behind', type: 'number', title: 'baseline.behind', width: 80, live: true, value: (b) => b.counts.behind },
  { key: 'stuck', type: 'number', title: 'baseline.stuck', width: 80, live: true, value: (b) => b.counts.stuck },
  {
    key: 'inScope',
    type: 'number',
    title: 'baseline.inScope',
    width: 100,
    optional: true,
    value: (b) => b.inScope,
  },
  {
    key: 'creatorName',
    type: 'text',
    title: 'baseline.creatorName',
    width: 150,
    optional: true,
    value: (b) => b.creatorName,
  },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'baseline.updated',
    sort: true,
    optional: true,
    value: (b) => b.updatedAt,
  },
];

/** Links to the task that asks for approval, or was refused. */
function StateWord({ baseline }: { baseline: Baseline }) {
  const { t } = useText();
  const mayTasks = useGranted('/task/list');
  const state = stateOf(baseline);
  const word = t(`baseline.state.${state}`);
  if (!mayTasks || baseline.approval?.state !== state) return <>{word}</>;
  return (
    <Link to="." search={((old: object) => ({ ...old, task: baseline.approval!.taskId })) as never}>
      {word}
    </Link>
  );
}

function FirmwareName({ baseline: { firmware } }: { baseline: Baseline }) {
  const { t } = useText();
  return <>{firmware ? `${firmware.name} ${firmware.version}` : t('baseline.firmwareGone')}</>;
}

function ScopeName({ baseline: { mac, device, model, siteId, site, groupId } }: { baseline: Baseline }) {
  const { t } = useText();
  // Users who may not see devices get no group names.
  const enabled = useGranted('/device/list') && groupId !== null;
  const { data } = useQuery({ ...groupNamesQuery, enabled });
  if (mac !== null) return device ? <span title={macText(mac)}>{device.name}</span> : <code>{macText(mac)}</code>;
  if (model !== null) return <>{model}</>;
  if (siteId !== null) return <>{site?.name ?? t('baseline.siteGone')}</>;
  return <>{data ? (data.find((g) => g.id === groupId)?.name ?? t('baseline.groupGone')) : t('baseline.group')}</>;
}

function Window({ baseline: { from, to, timeZone } }: { baseline: Baseline }) {
  const { t } = useText();
  if (from === null) return <>{t('baseline.anyTime')}</>;
  const window = `${from} – ${to} ${timeZone}`;
  return <span title={window}>{window}</span>;
}

/** Lists which firmware the devices of a model, a site or a group, or one device, should have (STORE-07). */
export function BaselineListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="baseline"
      route="/_main/task/baseline"
      list={listBaselines}
      service="task"
      title="menu.baselines"
      icon={IconChartBar}
      texts="baseline"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'baseline.name' },
        {
          key: 'active',
          title: 'baseline.active',
          values: ['true', 'false'],
          word: (value: 'true' | 'false') => (value === 'true' ? 'common.yes' : 'common.no'),
        },
        { key: 'updatedAt', kind: 'moment', title: 'baseline.updated' },
      ]}
      label={(b) => b.name}
      phone={(b) => ({ state: t(`baseline.state.${stateOf(b)}`) })}
      add={{
        label: 'baseline.add',
        right: 'addBaseline',
        dialog: (close) => <BaselineDialog baseline={undefined} onClose={close} />,
      }}
      drawer={{
        parameter: 'baseline',
        more: (baseline) => <BaselineDevices baseline={baseline} />,
      }}
      edit={{
        right: 'editBaseline',
        dialog: (baseline, close) => <BaselineDialog baseline={baseline} onClose={close} />,
      }}
      remove={{
        right: 'deleteBaseline',
        dialog: ({ id, name }, close) => (
          <DeleteDialog
            noun="baseline"
            name={name}
            text={t('baseline.deleteText')}
            remove={() => call(deleteBaseline, { query: { id } })}
            restore={() => call(restoreBaselines, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
