import { IconClock } from '@tabler/icons-react';
import type { FreezeState } from '@carillon/contracts';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { DeleteDialog } from '../../../kit/part/delete-dialog.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { call } from '../../../kit/api/call.ts';
import { useText } from '../../../kit/text/use-text.ts';
import {
  deleteFreezePeriod,
  listFreezePeriods,
  restoreFreezePeriods,
  type FreezePeriod,
} from './freeze-period.calls.ts';

const FreezePeriodDialog = lazy(() => import('./freeze-period-dialog.tsx'));

const states: readonly FreezeState[] = ['planned', 'inForce', 'over'];
const columns: ListColumn<typeof listFreezePeriods>[] = [
  { key: 'name', type: 'text', title: 'freezePeriod.name', sort: true, width: 170, fixed: true, value: (f) => f.name },
  {
    key: 'state',
    type: 'word',
    title: 'freezePeriod.state',
    sort: true,
    width: 100,
    live: true,
    phone: 'state',
    value: (f) => `freezePeriod.state.${f.state}`,
  },
  {
    key: 'sites',
    type: 'names',
    title: 'freezePeriod.sites',
    width: 188,
    phone: 'sub',
    value: (f) => f.sites.map((s) => s.name),
    show: (f) => <Sites period={f} />,
  },
  { key: 'beginsAt', type: 'moment', title: 'freezePeriod.begin', sort: true, value: (f) => f.beginsAt },
  { key: 'endsAt', type: 'moment', title: 'freezePeriod.end', sort: true, phone: 'extra', value: (f) => f.endsAt },
  { key: 'timeZone', type: 'text', title: 'freezePeriod.timeZone', width: 150, value: (f) => f.timeZone },
  {
    key: 'updatedAt',
    type: 'moment',
    title: 'freezePeriod.updated',
    sort: true,
    optional: true,
    value: (f) => f.updatedAt,
  },
];

function Sites({ period: { siteIds, sites } }: { period: FreezePeriod }) {
  const { t } = useText();
  if (siteIds.length === 0) return <>{t('freezePeriod.wholeCompany')}</>;
  const names = sites.map((s) => s.name).join(', ') || t('freezePeriod.sitesGone');
  return <span title={names}>{names}</span>;
}

/** Lists the periods in which no task changes devices (TASK-12). */
export function FreezePeriodListPage() {
  const { t } = useText();
  return (
    <ListPage
      name="freezePeriod"
      route="/_main/task/freezePeriod"
      list={listFreezePeriods}
      service="task"
      title="menu.freezePeriods"
      icon={IconClock}
      texts="freezePeriod"
      columns={columns}
      filters={[
        { key: 'name', kind: 'text', title: 'freezePeriod.name' },
        {
          key: 'state',
          title: 'freezePeriod.state',
          values: states,
          word: (state: FreezeState) => `freezePeriod.state.${state}`,
        },
        { key: 'beginsAt', kind: 'moment', title: 'freezePeriod.begin' },
        { key: 'endsAt', kind: 'moment', title: 'freezePeriod.end' },
        { key: 'updatedAt', kind: 'moment', title: 'freezePeriod.updated' },
      ]}
      label={(f) => f.name}
      add={{
        label: 'freezePeriod.add',
        right: 'addFreezePeriod',
        dialog: (close) => <FreezePeriodDialog period={undefined} onClose={close} />,
      }}
      drawer={{ parameter: 'freezePeriod' }}
      edit={{
        right: 'editFreezePeriod',
        dialog: (period, close) => <FreezePeriodDialog period={period} onClose={close} />,
      }}
      remove={{
        right: 'deleteFreezePeriod',
        dialog: ({ id, name, state }, close) => (
          <DeleteDialog
            noun="freezePeriod"
            name={name}
            text={t(state === 'inForce' ? 'freezePeriod.deleteInForce' : 'freezePeriod.deleteText')}
            remove={() => call(deleteFreezePeriod, { query: { id } })}
            restore={() => call(restoreFreezePeriods, { body: { ids: [id] } })}
            onClose={close}
          />
        ),
      }}
    />
  );
}
