import { useState, type ReactNode } from 'react';
import { Autocomplete, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { TemplateLevel } from '@carillon/contracts/settings';
import { useGranted, useOrganizations } from '../../../kit/api/access.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceGroupNamesQuery, groupOptions } from '../device-group/device-group.calls.ts';
import { modelNamesQuery } from '../model/model.calls.ts';
import { deviceListQuery } from '../record/device.calls.ts';
import { useSites } from './template-target.tsx';

interface FieldProps {
  value: string;
  onValue: (value: string) => void;
  error: ReactNode;
}

/** Chooses what a template of this level is for; nothing for all devices. */
export function TargetField({ level, ...props }: FieldProps & { level: TemplateLevel }) {
  switch (level) {
    case 'general':
      return null;
    case 'organization':
      return <OrganizationField {...props} />;
    case 'site':
      return <SiteField {...props} />;
    case 'series':
      return <SeriesField {...props} />;
    case 'model':
      return <ModelField {...props} />;
    case 'group':
      return <GroupField {...props} />;
    case 'device':
      return <DeviceField {...props} />;
  }
}

function Choice({
  label,
  data,
  value,
  onValue,
  error,
}: FieldProps & { label: string; data: { value: string; label: string }[] }) {
  return (
    <Select
      name="target"
      label={label}
      data={data}
      value={value === '' ? null : value}
      onChange={(id) => onValue(id ?? '')}
      error={error}
      searchable={data.length > 8}
      allowDeselect={false}
      openOnFocus={false}
    />
  );
}

function OrganizationField(props: FieldProps) {
  const { t } = useText();
  const organizations = useOrganizations().data ?? [];
  return (
    <Choice
      {...props}
      label={t('device.organization')}
      data={organizations.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

function SiteField(props: FieldProps) {
  const { t } = useText();
  const sites = useSites();
  return (
    <Choice
      {...props}
      label={t('device.site')}
      data={sites.map(({ id, path }) => ({ value: id, label: path.join(' / ') }))}
    />
  );
}

function GroupField(props: FieldProps) {
  const { t } = useText();
  const groups = useQuery({ ...deviceGroupNamesQuery, enabled: useGranted('/device/list') }).data ?? [];
  return <Choice {...props} label={t('baseline.scope.group')} data={groupOptions(groups)} />;
}

/** The series of the supplied models and of those that the company added. */
function SeriesField(props: FieldProps) {
  const { t } = useText();
  const models = useQuery({ ...modelNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];
  const names = [...new Set(models.map(({ series }) => series).filter((series) => series !== ''))].sort();
  return <Choice {...props} label={t('model.series')} data={names.map((name) => ({ value: name, label: name }))} />;
}

/** A model that no list contains can be typed. */
function ModelField({ value, onValue, error }: FieldProps) {
  const { t } = useText();
  const models = useQuery({ ...modelNamesQuery(), enabled: useGranted('/device/list') }).data ?? [];
  return (
    <Autocomplete
      name="target"
      label={t('device.model')}
      description={t('configTemplate.modelHint')}
      data={[...new Set(models.map(({ name }) => name))]}
      maxLength={64}
      value={value}
      onChange={onValue}
      error={error}
      openOnFocus={false}
    />
  );
}

/** Finds a device by its name or MAC, in the list of all. */
function DeviceField({ value, onValue, error }: FieldProps) {
  const { t } = useText();
  const enabled = useGranted('/device/list');
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  // The field shows the name of the choice, which is not a search.
  const [search] = useDebouncedValue(text === chosen?.label ? '' : text.trim(), 250);
  const found = useQuery({
    ...deviceListQuery({ page: 1, limit: 20, sort: 'name', ...(search === '' ? {} : { search }) }),
    enabled,
  });
  const options = (found.data?.records ?? []).map((d) => ({ value: d.id, label: `${d.name} · ${macText(d.mac)}` }));
  const all = chosen && !options.some((option) => option.value === chosen.value) ? [...options, chosen] : options;
  return (
    <Select
      name="target"
      label={t('task.device')}
      placeholder={t('taskOrder.searchHint')}
      data={all}
      // The server has filtered already.
      filter={({ options: given }) => given.filter((o) => 'value' in o && options.some((d) => d.value === o.value))}
      value={value === '' ? null : value}
      onChange={(id) => {
        setChosen(all.find((option) => option.value === id));
        onValue(id ?? '');
      }}
      onSearchChange={setText}
      nothingFoundMessage={found.isSuccess ? t('configTemplate.noDevice') : undefined}
      error={error}
      searchable
      allowDeselect={false}
      openOnFocus={false}
    />
  );
}
