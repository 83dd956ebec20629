import type { ReactNode } from 'react';
import { Button, Radio, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import FilterBar from '../../../kit/grid/filter-bar.tsx';
import type { Filter } from '../../../kit/grid/grid.types.ts';
import { StateGlyph } from '../../../kit/part/state.tsx';
import { useGranted, useOrganizations } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceGroupNamesQuery, groupOptions } from '../device-group/device-group.calls.ts';
import { configStates, deviceCountQuery, deviceStates, type DeviceFilter } from '../record/device.calls.ts';
import { siteNamesQuery } from '../site/site.calls.ts';
import { tagOptions, tagsQuery } from '../tag/tag.calls.ts';
import { filterOfValues, type OrderValues } from './order-values.ts';
import css from './order.module.css';

/** Returns the current number of devices; undefined while it is unknown. */
export function useAimed(v: OrderValues): number | undefined {
  const enabled = useGranted('/device/list') && v.aim !== 'chosen';
  const filter = v.aim === 'all' ? {} : filterOfValues(v);
  const { data } = useQuery({
    ...deviceCountQuery(filter as DeviceFilter),
    enabled,
    placeholderData: keepPreviousData,
  });
  return v.aim === 'chosen' ? v.ids.length : data && Math.max(0, data.total - v.exclude.length);
}

/** Chooses the devices: the selected ones, those that match, or all. */
export function OrderDevices({
  values,
  set,
  fault,
  lost,
}: {
  values: OrderValues;
  set: (change: Partial<OrderValues>) => void;
  fault: ReactNode;
  /** The URL names a selection that no longer exists. */
  lost: boolean;
}) {
  const { t } = useText();
  const aimed = useAimed(values);
  const filters = useDeviceFilters();
  const { aim, ids, exclude } = values;
  return (
    <>
      {lost && (
        <p className={css.warning} role="status">
          {t('taskOrder.lost')}
        </p>
      )}
      <Radio.Group
        value={aim}
        onChange={(v) => set({ aim: v as OrderValues['aim'], given: values.given })}
        aria-label={t('taskOrder.target')}
      >
        <div className={css.radios}>
          {ids.length > 0 && (
            <Radio value="chosen" label={t('taskOrder.aimChosen', { count: ids.length, number: count(ids.length) })} />
          )}
          <Radio value="filter" label={t('taskOrder.aimFilter')} />
          <Radio value="all" label={t('taskOrder.aimAll')} />
        </div>
      </Radio.Group>
      {aim === 'filter' && (
        <div className={css.rule} role="group" aria-label={t('taskOrder.conditions')}>
          <TextInput
            type="search"
            aria-label={t('taskOrder.searchHint')}
            placeholder={t('taskOrder.searchHint')}
            maxLength={128}
            value={values.search}
            onChange={(e) => set({ search: e.currentTarget.value, given: values.given })}
            autoComplete="off"
            spellCheck={false}
          />
          <FilterBar
            filters={filters}
            given={values.given}
            onGiven={(given) => set({ given })}
            add={t('taskOrder.addCondition')}
          />
        </div>
      )}
      {fault && (
        <div className={css.fault} role="alert">
          {fault}
        </div>
      )}
      {aim !== 'chosen' && (
        <div className={css.note}>
          {aimed !== undefined && (
            <strong role="status">{t('taskOrder.matching', { count: aimed, number: count(aimed) })}</strong>
          )}
          {exclude.length > 0 && (
            <>
              <span>{t('taskOrder.excluded', { count: exclude.length, number: count(exclude.length) })}</span>
              <Button variant="subtle" size="compact-xs" onClick={() => set({ exclude: [] })}>
                {t('taskOrder.include')}
              </Button>
            </>
          )}
          {values.type !== 'now' && <span>{t('taskOrder.later')}</span>}
        </div>
      )}
    </>
  );
}

/** Returns filters that the device list and tasks share. */
function useDeviceFilters(): readonly Filter<string>[] {
  const { t } = useText();
  const enabled = useGranted('/device/list');
  const all = useQuery({ ...deviceCountQuery({}), enabled }).data;
  const { data: sites = [] } = useQuery({ ...siteNamesQuery(), enabled });
  const { data: groups = [] } = useQuery({ ...deviceGroupNamesQuery, enabled });
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled });
  const organizations = useOrganizations().data ?? [];
  return [
    {
      key: 'state',
      kind: 'choice',
      title: t('device.state'),
      options: deviceStates.map((state) => ({
        value: state,
        label: t(`state.${state}`),
        glyph: <StateGlyph state={state} />,
        ...(all ? { count: all.state[state] ?? 0 } : {}),
      })),
    },
    {
      key: 'site',
      kind: 'choice',
      title: t('device.site'),
      options: [
        { value: 'none', label: t('device.noSite') },
        ...sites.map((s) => ({ value: s.id, label: s.path.join(' / ') })),
      ],
    },
    {
      key: 'group',
      kind: 'choice',
      title: t('device.groups'),
      options: [{ value: 'none', label: t('device.noGroup') }, ...groupOptions(groups)],
    },
    { key: 'tag', kind: 'choice', empties: true, title: t('device.tags'), options: tagOptions(tags) },
    {
      key: 'model',
      kind: 'text',
      title: t('device.model'),
      options: (all?.models ?? []).map((m) => ({ value: m.model, label: m.model, count: m.count })),
    },
    {
      key: 'firmware',
      kind: 'text',
      empties: true,
      title: t('device.firmware'),
      options: (all?.firmwares ?? []).map((f) => ({ value: f.firmware, label: f.firmware, count: f.count })),
    },
    ...(organizations.length > 1
      ? [
          {
            key: 'orgId',
            kind: 'choice' as const,
            title: t('device.organization'),
            options: organizations.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]
      : []),
    { key: 'name', kind: 'text', title: t('device.name'), options: [] },
    { key: 'mac', kind: 'text', title: t('device.mac'), options: [] },
    { key: 'sn', kind: 'text', title: t('device.sn'), options: [] },
    { key: 'internalIp', kind: 'text', empties: true, title: t('device.internalIp'), options: [] },
    {
      key: 'enabled',
      kind: 'flag',
      title: t('device.access'),
      options: ['true', 'false'].map((value) => ({
        value,
        label: t(value === 'true' ? 'device.accessYes' : 'device.accessNo'),
      })),
    },
    {
      key: 'config',
      kind: 'choice',
      title: t('device.config'),
      options: configStates.map((state) => ({ value: state, label: t(`device.config.${state}`) })),
    },
    { key: 'lastOnlineAt', kind: 'moment', empties: true, title: t('device.lastOnline'), options: [] },
    { key: 'onlineSince', kind: 'moment', empties: true, title: t('device.onlineSince'), options: [] },
  ];
}
