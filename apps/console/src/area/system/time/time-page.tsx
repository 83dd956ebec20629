import { useState } from 'react';
import { ActionIcon, Checkbox, SegmentedControl, TextInput } from '@mantine/core';
import { IconAlertTriangleFilled, IconPencil } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { CountryRecord, ZoneRecord } from '@carillon/contracts';
import { offsetName, type DstRule } from '@carillon/contracts/time';
import { useAccess } from '../../../kit/session/access.ts';
import { call, remote } from '../../../kit/session/call.ts';
import { countryNames } from '../../../kit/text/country.ts';
import { currentTag } from '../../../kit/session/language.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { zonesQuery } from '../../../kit/text/zone.ts';
import { CountryDialog } from './country-dialog.tsx';
import { ruleWords } from './rule.ts';
import { ZoneDialog } from './zone-dialog.tsx';
import css from './time-page.module.css';

await systemTexts();

const list = remote('listCountryTimes', 'GET /api/f/license/time/country');
export const countriesQuery = queryOptions({
  queryKey: ['time', 'countries'],
  queryFn: ({ signal }) => call(list, {}, { signal }),
});

/** Zones and daylight saving rules of the installation, and where the tz database says otherwise (SHELL-19). */
export function TimePage() {
  const { t } = useText();
  const [shown, setShown] = useState<'countries' | 'zones'>('countries');
  const { data, isError } = useQuery(countriesQuery);
  return (
    <section className={css.page} aria-label={t('menu.time')} aria-busy={data === undefined && !isError}>
      <header className={css.head}>
        <h1>{t('menu.time')}</h1>
        <SegmentedControl
          aria-label={t('menu.time')}
          data={[
            { value: 'countries', label: t('time.countries') },
            { value: 'zones', label: t('time.zones') },
          ]}
          value={shown}
          onChange={(v) => setShown(v as 'zones')}
        />
        {data && <p>{t('time.lead', { version: data.version })}</p>}
      </header>
      {isError && (
        <p role="alert" className={css.bar}>
          {t('time.failed')}
        </p>
      )}
      {shown === 'zones' ? <Zones /> : data && <Countries records={data.records} />}
    </section>
  );
}

function Countries({ records }: { records: readonly CountryRecord[] }) {
  const { t } = useText();
  const access = useAccess();
  const [search, setSearch] = useState('');
  const [different, setDifferent] = useState(false);
  const [edited, setEdited] = useState<{ country: CountryRecord; name: string }>();
  const name = countryNames();
  const named = records
    .map((country) => ({ country, name: name(country.code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, currentTag()));
  const words = search.trim().toLowerCase();
  const rows = named.filter(
    ({ country, name: n }) =>
      (!different || country.differences.length > 0) &&
      (words === '' ||
        n.toLowerCase().includes(words) ||
        country.code.toLowerCase() === words ||
        country.countryName.toLowerCase().includes(words)),
  );
  return (
    <>
      <div className={css.bar} role="search">
        <TextInput
          aria-label={t('time.search')}
          placeholder={t('time.search')}
          value={search}
          onChange={(e) => setSearch(e.currentTarget.value)}
          autoComplete="off"
        />
        <Checkbox
          label={t('time.onlyDifferent', { different: records.filter((c) => c.differences.length > 0).length })}
          checked={different}
          onChange={(e) => setDifferent(e.currentTarget.checked)}
        />
      </div>
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t('time.countries')}>
        {rows.length === 0 ? (
          <p className={css.none}>{t('time.noMatch')}</p>
        ) : (
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t('time.country')}</th>
                <th scope="col">{t('time.offset')}</th>
                <th scope="col">{t('time.rule')}</th>
                <th scope="col">{t('time.database')}</th>
                <th scope="col">
                  <span className="hidden-text">{t('common.edit')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.country.countryId} data-id={row.country.code}>
                  <td>{row.name}</td>
                  <td>{offsetName(row.country.offset)}</td>
                  <td>{ruleWords(t, row.country.rule as DstRule | null)}</td>
                  <td>
                    {row.country.differences.length === 0 ? (
                      <span className={css.same}>{t('time.same')}</span>
                    ) : (
                      <span className={css.different}>
                        <IconAlertTriangleFilled size={14} aria-hidden />
                        {t('time.different')}
                      </span>
                    )}
                  </td>
                  <td>
                    {access.can('editTime') && (
                      <ActionIcon
                        variant="subtle"
                        size={28}
                        aria-label={t('time.editOne', { name: row.name })}
                        title={t('common.edit')}
                        onClick={() => setEdited(row)}
                      >
                        <IconPencil size={15} stroke={1.75} aria-hidden />
                      </ActionIcon>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {edited && <CountryDialog {...edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}

function Zones() {
  const { t } = useText();
  const access = useAccess();
  const { data } = useQuery(zonesQuery);
  const [edited, setEdited] = useState<ZoneRecord>();
  return (
    <>
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t('time.zones')}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('time.region')}</th>
              <th scope="col">{t('time.offset')}</th>
              <th scope="col">{t('time.order')}</th>
              <th scope="col">
                <span className="hidden-text">{t('common.edit')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {(data ?? []).map((zone) => (
              <tr key={zone.id} data-id={zone.id}>
                <td>{zone.region}</td>
                <td>{zone.timeOffset}</td>
                <td>{zone.sort}</td>
                <td>
                  {access.can('editTime') && (
                    <ActionIcon
                      variant="subtle"
                      size={28}
                      aria-label={t('time.editOne', { name: zone.region })}
                      title={t('common.edit')}
                      onClick={() => setEdited(zone)}
                    >
                      <IconPencil size={15} stroke={1.75} aria-hidden />
                    </ActionIcon>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {edited && <ZoneDialog zone={edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
