import { useState, type ReactNode } from 'react';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { linesPerDevice } from '@carillon/contracts/constants';
import { useAccess, useOrganizations } from '../../../kit/api/access.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { accountNamesQuery } from '../line/line.calls.ts';
import { modelNamesQuery } from '../model/model.calls.ts';
import { modelOptions } from '../model/model-options.ts';
import { siteNamesQuery } from '../site/site.calls.ts';
import { serverNamesQuery } from '../record/device.calls.ts';
import css from '../../../kit/part/form-page.module.css';
import own from './device-form.module.css';

/** A line's account in the form; the name is shown when no list contains it. */
export interface LineAccount {
  line: number;
  accountId: string;
  name: string;
}
export interface DeviceValues {
  name: string;
  /** A model, or `Auto` and its series separated by a line break, which no name contains. */
  model: string;
  sn: string;
  siteId: string;
  serverId: string;
  orgId: string;
  lines: readonly LineAccount[];
}
export const noDevice: DeviceValues = { name: '', model: '', sn: '', siteId: '', serverId: '', orgId: '', lines: [] };

/** Returns the fields of a call for the chosen model. */
export function modelBody(value: string): { model: string; series?: string } {
  const [model = '', series] = value.split('\n');
  return { model: model.trim(), ...(series === undefined ? {} : { series }) };
}
export const linesBody = (lines: readonly LineAccount[]) => lines.map(({ line, accountId }) => ({ line, accountId }));

/** Returns a function that reports missing values. */
export function useMissing() {
  const { t } = useText();
  return (values: Pick<DeviceValues, 'name' | 'model' | 'sn' | 'siteId' | 'serverId'>) => ({
    ...(values.name.trim() === '' ? { name: t('device.nameMissing') } : {}),
    ...(values.model === '' ? { model: t('device.modelMissing') } : {}),
    ...(values.sn.trim() === '' ? { sn: t('device.snMissing') } : {}),
    ...(values.siteId === '' ? { siteId: t('deviceForm.siteMissing') } : {}),
    ...(values.serverId === '' ? { serverId: t('deviceForm.serverMissing') } : {}),
  });
}

interface FieldsProps {
  values: DeviceValues;
  set: (change: Partial<DeviceValues>) => void;
  fault: (field: keyof DeviceValues) => ReactNode;
  /** The device's current model, when no list contains it. */
  knownModel?: string;
  /** Replaces the choice of a site or a SIP server where there is none yet. */
  first?: { site: ReactNode; server: ReactNode };
}

/** The fields for a device's data, its place, and the accounts of its lines. */
export function DeviceFields({ values, set, fault, knownModel, first }: FieldsProps) {
  const { t } = useText();
  const access = useAccess();
  const models = useQuery(modelNamesQuery()).data ?? [];
  const sites = useQuery(siteNamesQuery()).data;
  const servers = useQuery(serverNamesQuery()).data;
  const { data: organizations } = useOrganizations();
  const options = modelOptions(models, t, { auto: true });
  if (knownModel && !models.some((model) => model.name === knownModel))
    options.push({ group: t('deviceForm.otherModels'), items: [{ value: knownModel, label: knownModel }] });
  const most = models.find((model) => model.name === values.model)?.lines ?? linesPerDevice;
  return (
    <>
      <TextInput
        name="name"
        label={t('device.name')}
        maxLength={64}
        value={values.name}
        onChange={(e) => set({ name: e.currentTarget.value })}
        error={fault('name')}
        autoComplete="off"
      />
      <Select
        name="model"
        label={t('device.model')}
        description={t('deviceForm.modelHint')}
        placeholder={t('deviceForm.modelSearch')}
        data={options}
        value={values.model === '' ? null : values.model}
        onChange={(v) => set({ model: v ?? '' })}
        error={fault('model')}
        searchable
        nothingFoundMessage={t('deviceForm.noModel')}
        openOnFocus={false}
      />
      <TextInput
        name="sn"
        label={t('device.snLong')}
        maxLength={64}
        value={values.sn}
        onChange={(e) => set({ sn: e.currentTarget.value })}
        error={fault('sn')}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'mono' }}
      />
      {organizations && organizations.length > 1 && (
        <Select
          name="orgId"
          label={t('device.organization')}
          data={organizations.map((o) => ({ value: o.id, label: o.name }))}
          value={values.orgId === '' ? null : values.orgId}
          onChange={(v) => set({ orgId: v ?? '' })}
          error={fault('orgId')}
          allowDeselect={false}
          openOnFocus={false}
        />
      )}
      {first?.site || (
        <Select
          name="siteId"
          label={t('device.site')}
          {...(sites?.length === 0 ? { description: t('deviceForm.noSite') } : {})}
          data={(sites ?? []).map((s) => ({ value: s.id, label: s.path.join(' / ') }))}
          value={values.siteId === '' ? null : values.siteId}
          onChange={(v) => set({ siteId: v ?? '' })}
          error={fault('siteId')}
          searchable={(sites ?? []).length > 8}
          allowDeselect={false}
          openOnFocus={false}
        />
      )}
      {first?.server || (
        <Select
          name="serverId"
          label={t('device.sipServer')}
          {...(servers?.length === 0 ? { description: t('deviceForm.noServer') } : {})}
          data={(servers ?? []).map((s) => ({ value: s.id, label: `${s.name} · ${s.address}` }))}
          value={values.serverId === '' ? null : values.serverId}
          // Accounts belong to one server, so those of another would be refused.
          onChange={(v) => set({ serverId: v ?? '', ...(v === values.serverId ? {} : { lines: [] }) })}
          error={fault('serverId')}
          searchable={(servers ?? []).length > 8}
          allowDeselect={false}
          openOnFocus={false}
        />
      )}
      {access.can('assignSipAccount') && values.serverId !== '' && (
        <fieldset className={css.group}>
          <legend>{t('device.lines')}</legend>
          <p className={own.hint}>{t('deviceForm.linesHint')}</p>
          {Array.from({ length: Math.max(most, ...values.lines.map((l) => l.line)) }, (_, i) => i + 1).map((line) => (
            <AccountOfLine
              key={`${values.serverId} ${line}`}
              line={line}
              serverId={values.serverId}
              chosen={values.lines.find((l) => l.line === line)}
              onChoose={(account) =>
                set({ lines: [...values.lines.filter((l) => l.line !== line), ...(account ? [account] : [])] })
              }
            />
          ))}
          {fault('lines')}
        </fieldset>
      )}
    </>
  );
}

/** Chooses one line's account of the device's server, and warns when another line has it. */
function AccountOfLine({
  line,
  serverId,
  chosen,
  onChoose,
}: {
  line: number;
  serverId: string;
  chosen: LineAccount | undefined;
  onChoose: (account: LineAccount | undefined) => void;
}) {
  const { t } = useText();
  const [first] = useState(chosen?.accountId);
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search === chosen?.name ? '' : search.trim(), 250);
  const accounts = useQuery(accountNamesQuery(asked, serverId)).data ?? [];
  const label = (a: (typeof accounts)[number]) => `${a.name} · ${a.number}`;
  const options = accounts.map((a) => ({ value: a.id, label: label(a) }));
  if (chosen && !accounts.some((a) => a.id === chosen.accountId))
    options.unshift({ value: chosen.accountId, label: chosen.name });
  // The account that the line had when the form was opened counts this line itself.
  const lines = accounts.find((a) => a.id === chosen?.accountId)?.devices ?? 0;
  const others = chosen?.accountId === first ? lines - 1 : lines;
  return (
    <Select
      name={`line-${line}`}
      label={t('deviceForm.line', { line })}
      placeholder={t('deviceForm.noAccount')}
      {...(others > 0 ? { description: t('deviceForm.accountOnDevices', { count: others }) } : {})}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={options}
      value={chosen?.accountId ?? null}
      onChange={(accountId) => {
        const account = accounts.find((a) => a.id === accountId);
        onChoose(account && { line, accountId: account.id, name: label(account) });
      }}
      searchable
      clearable
      filter={({ options: all }) => all}
      onSearchChange={setSearch}
      openOnFocus={false}
      nothingFoundMessage={t('sipAccount.accountNone')}
    />
  );
}
