import { IconCircle, IconCircleCheckFilled, IconTag, IconTrash } from '@tabler/icons-react';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { ImportButton } from '../../../kit/import/import-button.tsx';
import { lazy } from '../../../kit/part/lazy.tsx';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { listDeliveries, type Delivery } from './delivery.calls.ts';
import look from '../../../kit/part/state.module.css';

const DeleteDeliveries = lazy(() => import('./delete-deliveries.tsx'));

const states = ['free', 'claimed'] as const;

/** Shows whether a company has claimed a device, by a glyph and a word. */
function State({ state }: { state: Delivery['state'] }) {
  const { t } = useText();
  const isClaimed = state === 'claimed';
  const Glyph = isClaimed ? IconCircleCheckFilled : IconCircle;
  return (
    <span className={look.state}>
      <span className={look.glyph} style={{ color: isClaimed ? 'var(--online)' : 'var(--offline)' }}>
        <Glyph size={isClaimed ? 14 : 10} stroke={isClaimed ? 2 : 3.2} aria-hidden />
      </span>
      {t(`delivery.state.${state}`)}
    </span>
  );
}

const columns: ListColumn<typeof listDeliveries>[] = [
  {
    key: 'mac',
    type: 'code',
    title: 'delivery.mac',
    sort: true,
    width: 150,
    fixed: true,
    value: (d) => macText(d.mac),
  },
  { key: 'sn', type: 'code', title: 'delivery.sn', sort: true, width: 160, phone: 'sub', value: (d) => d.sn },
  {
    key: 'state',
    type: 'word',
    title: 'delivery.state',
    sort: true,
    width: 120,
    live: true,
    phone: 'state',
    value: (d) => `delivery.state.${d.state}`,
    show: (d) => <State state={d.state} />,
  },
  {
    key: 'company',
    type: 'text',
    title: 'delivery.company',
    sort: true,
    width: 160,
    phone: 'extra',
    value: (d) => d.company,
  },
  { key: 'claimedAt', type: 'moment', title: 'delivery.claimedAt', sort: true, value: (d) => d.claimedAt },
  { key: 'importedAt', type: 'moment', title: 'delivery.importedAt', sort: true, value: (d) => d.importedAt },
];

/** Lists the devices of the makers' delivery lists and who claimed them (docs/adr/0047). Codes are not shown. */
export function DeliveryListPage() {
  const importer = <ImportButton noun="delivery" place="device/import/delivery" right="importDelivery" />;
  return (
    <ListPage
      name="delivery"
      route="/_main/system/company_/delivery"
      list={listDeliveries}
      service="device"
      title="menu.deliveries"
      icon={IconTag}
      texts="delivery"
      columns={columns}
      filters={[
        { key: 'mac', kind: 'text', title: 'delivery.mac' },
        {
          key: 'state',
          title: 'delivery.state',
          values: states,
          word: (state: Delivery['state']) => `delivery.state.${state}`,
        },
        { key: 'sn', kind: 'text', title: 'delivery.sn' },
        { key: 'company', kind: 'text', empties: true, title: 'delivery.company' },
        { key: 'importedAt', kind: 'moment', title: 'delivery.importedAt' },
        { key: 'claimedAt', kind: 'moment', empties: true, title: 'delivery.claimedAt' },
      ]}
      label={(d) => macText(d.mac)}
      beside={importer}
      emptyAction={importer}
      drawer={{ parameter: 'delivery' }}
      actions={[
        {
          key: 'delete',
          label: 'common.delete',
          icon: IconTrash,
          right: 'importDelivery',
          menuOnly: true,
          danger: true,
          many: 'named',
          when: (d) => d.state === 'free',
          dialog: ({ record, ids, close, deselect }) => (
            <DeleteDeliveries ids={ids} name={record && macText(record.mac)} onClose={close} onDone={deselect} />
          ),
        },
      ]}
    />
  );
}
