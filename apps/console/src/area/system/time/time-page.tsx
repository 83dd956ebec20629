import { IconAlertTriangleFilled, IconClock, IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { offsetName, type DstRule } from '@carillon/contracts/time';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn, ListDeclaration } from '../../../kit/grid/list.types.ts';
import { one } from '../../../kit/browser/address.ts';
import { call, remote } from '../../../kit/api/call.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { t } from '../../../kit/text/translate.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { CountryDialog } from './country-dialog.tsx';
import { ruleWords } from './rule.ts';
import { ZoneDialog } from './zone-dialog.tsx';
import css from './time-page.module.css';

await systemTexts();

const listCountries = remote('listCountries', 'GET /api/f/license/time/country/list');
const listTimeZones = remote('listTimeZones', 'GET /api/f/license/time/zone/list');
type Tabs = NonNullable<ListDeclaration<typeof listCountries>['tabs']>;
const yesOrNo = ['true', 'false'] as const;
const difference = (yes: string) => (yes === 'true' ? 'time.different' : 'time.same');
const edited = (yes: string) => (yes === 'true' ? 'common.yes' : 'common.no');

const countryColumns: ListColumn<typeof listCountries>[] = [
  { key: 'name', type: 'text', title: 'time.country', width: 200, sort: true, fixed: true, value: (c) => c.name },
  {
    key: 'offset',
    type: 'text',
    title: 'time.offset',
    width: 110,
    sort: true,
    phone: 'extra',
    value: (c) => offsetName(c.offset),
  },
  {
    key: 'rule',
    type: 'text',
    title: 'time.rule',
    width: 460,
    phone: 'sub',
    value: (c) => ruleWords(t, c.rule as DstRule | null),
  },
  {
    key: 'different',
    type: 'word',
    title: 'time.database',
    width: 130,
    sort: true,
    phone: 'state',
    value: (c) => difference(String(c.different)),
    show: (c) => <Compared different={c.different} />,
  },
  {
    key: 'edited',
    type: 'word',
    title: 'time.edited',
    width: 100,
    sort: true,
    optional: true,
    value: (c) => edited(String(c.edited)),
  },
  { key: 'updatedAt', type: 'moment', title: 'user.updated', sort: true, optional: true, value: (c) => c.updatedAt },
];

const zoneColumns: ListColumn<typeof listTimeZones>[] = [
  { key: 'region', type: 'text', title: 'time.region', width: 380, sort: true, fixed: true, value: (z) => z.region },
  {
    key: 'offset',
    type: 'text',
    title: 'time.offset',
    width: 120,
    sort: true,
    phone: 'state',
    value: (z) => z.timeOffset,
  },
  { key: 'sort', type: 'number', title: 'time.order', width: 90, sort: true, value: (z) => z.sort },
];

function Compared({ different }: { different: boolean }) {
  const { t } = useText();
  if (!different) return <span className={css.same}>{t('time.same')}</span>;
  return (
    <span className={css.different}>
      <IconAlertTriangleFilled size={14} aria-hidden />
      {t('time.different')}
    </span>
  );
}

/** Lists zones and daylight saving rules of the installation, with differences from the tz database (SHELL-19). */
export function TimePage() {
  const current = one(useSearch({ from: '/_main/system/time' }).table) === 'zones' ? 'zones' : 'countries';
  const tabs: Tabs = {
    parameter: 'table',
    current,
    names: { countries: 'time.countries', zones: 'time.zones' },
  };
  return current === 'zones' ? <Zones tabs={tabs} /> : <Countries tabs={tabs} />;
}

function Countries({ tabs }: { tabs: Tabs }) {
  return (
    <ListPage
      name="countryTime"
      route="/_main/system/time"
      list={listCountries}
      service="license"
      tabs={tabs}
      title="menu.time"
      icon={IconWorld}
      texts="time"
      columns={countryColumns}
      filters={[
        { key: 'different', kind: 'flag', title: 'time.database', values: yesOrNo, word: difference },
        { key: 'edited', kind: 'flag', title: 'time.edited', values: yesOrNo, word: edited },
        { key: 'name', kind: 'text', title: 'time.country' },
        { key: 'offset', kind: 'number', title: 'time.offsetMinutes' },
        { key: 'updatedAt', kind: 'moment', title: 'user.updated' },
      ]}
      label={(c) => c.name}
      drawer={{ parameter: 'country' }}
      edit={{
        right: 'editTime',
        dialog: (country, close) => <CountryDialog country={country} name={country.name} onClose={close} />,
      }}
      strip={<Lead />}
    />
  );
}

function Zones({ tabs }: { tabs: Tabs }) {
  return (
    <ListPage
      name="timeZone"
      route="/_main/system/time"
      list={listTimeZones}
      service="license"
      tabs={tabs}
      title="menu.time"
      icon={IconClock}
      texts="time"
      columns={zoneColumns}
      filters={[
        { key: 'region', kind: 'text', title: 'time.region' },
        { key: 'offset', kind: 'number', title: 'time.offsetMinutes' },
      ]}
      label={(z) => z.region}
      drawer={{ parameter: 'zone' }}
      edit={{
        right: 'editTime',
        dialog: (zone, close) => <ZoneDialog zone={{ ...zone, id: zone.zoneId }} onClose={close} />,
      }}
      strip={<Lead />}
    />
  );
}

/** Shows the version of the tz database that rules are compared with. */
function Lead() {
  const { t } = useText();
  const { data } = useQuery({
    queryKey: ['time', 'version'],
    queryFn: ({ signal }) => call(listCountries, { query: { page: 1, limit: 1 } }, { signal }),
    staleTime: Infinity,
  });
  // Its line is there from the beginning, so that the table does not move under the pointer.
  return <p className={css.lead}>{data ? t('time.lead', { version: data.version }) : '\u00A0'}</p>;
}
