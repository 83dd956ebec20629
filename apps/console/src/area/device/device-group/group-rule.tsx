import type { ReactNode } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DeviceRule } from '@carillon/contracts';
import FilterBar from '../../../kit/grid/filter-bar.tsx';
import type { Filter } from '../../../kit/grid/grid.types.ts';
import type { ListState } from '../../../kit/grid/search.ts';
import { useGranted } from '../../../kit/api/access.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceCountQuery, type DeviceFilter } from '../record/device.calls.ts';
import { siteNamesQuery } from '../site/site.calls.ts';
import { tagOptions, tagsQuery } from '../tag/tag.calls.ts';
import css from './group-rule.module.css';

type Given = ListState<string>['filters'];

/** Returns a rule in the form of list filters: each condition with all of its values. */
export const given = (rule: Readonly<Partial<DeviceRule>>): Given =>
  Object.fromEntries(
    Object.entries(rule).map(([parameter, value]) => [parameter, Array.isArray(value) ? value : [String(value)]]),
  );

/** Edits the conditions of a rule, which are filters of the device list, and shows how many devices match now. */
export function GroupRule({
  rule,
  onRule,
  fault,
  onOpen,
}: {
  rule: Given;
  onRule: (rule: Given) => void;
  fault: ReactNode;
  /** Reports whether a popup of it is open, which Esc closes first. */
  onOpen: (open: boolean) => void;
}) {
  const { t } = useText();
  // Users who may not see devices type the values, and get no number.
  const enabled = useGranted('/device/list');
  const all = useQuery({ ...deviceCountQuery({}), enabled }).data;
  const { data: sites = [] } = useQuery({ ...siteNamesQuery(), enabled });
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled });
  const empty = Object.keys(rule).length === 0;
  const { data: meet } = useQuery({
    ...deviceCountQuery(rule as DeviceFilter),
    enabled: enabled && !empty,
    placeholderData: keepPreviousData,
  });
  const filters: readonly Filter<string>[] = [
    { key: 'tag', kind: 'choice', empties: true, title: t('device.tags'), options: tagOptions(tags) },
    {
      key: 'model',
      kind: 'text',
      title: t('device.model'),
      options: (all?.models ?? []).map((m) => ({ value: m.model, label: m.model, count: m.count })),
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
    { key: 'name', kind: 'text', title: t('device.name'), options: [] },
    { key: 'firmware', kind: 'text', empties: true, title: t('device.firmware'), options: [] },
    { key: 'mac', kind: 'text', title: t('device.mac'), options: [] },
    { key: 'sn', kind: 'text', title: t('device.sn'), options: [] },
    { key: 'internalIp', kind: 'text', empties: true, title: t('device.internalIp'), options: [] },
  ];
  return (
    <>
      <p>{t('deviceGroup.byRuleText')}</p>
      <div className={css.rule} role="group" aria-label={t('deviceGroup.rule')}>
        <FilterBar
          filters={filters}
          given={rule}
          onGiven={onRule}
          onOpen={onOpen}
          add={t('deviceGroup.addCondition')}
        />
      </div>
      {fault && (
        <div className={css.fault} role="alert">
          {fault}
        </div>
      )}
      {!empty && meet && <p role="status">{t('deviceGroup.meet', { count: meet.total, number: count(meet.total) })}</p>}
    </>
  );
}
