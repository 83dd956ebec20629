import { useState, type ReactNode } from 'react';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { linesPerDevice } from '@carillon/contracts/constants';
import { showToast } from '../../../kit/part/toast.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { SelectField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { deviceListQuery } from '../record/device.calls.ts';
import { accountNamesQuery, assignAccount, deviceLinesQuery, lineKeys, type DeviceLine } from './line.calls.ts';

const free = '-';

/** Assigns this account to a line of a device. */
export default function AssignAccount({
  account,
  onClose,
}: {
  account: { id: string; name: string };
  onClose: () => void;
}) {
  const { t } = useText();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), 250);
  const [device, setDevice] = useState<{ id: string; name: string }>();
  const devices = useQuery(deviceListQuery({ limit: 20, ...(asked === '' ? {} : { search: asked }) })).data?.records;
  const names = new Map((devices ?? []).map((d) => [d.id, d.name]));
  const options = (devices ?? []).map((d) => ({ value: d.id, label: `${d.name} · ${macText(d.mac)}` }));
  // The chosen device stays an option during a search.
  if (device && !names.has(device.id)) options.unshift({ value: device.id, label: device.name });
  return (
    <AssignDialog
      title={t('sipAccount.assignOne', { name: account.name })}
      device={device}
      account={account}
      onClose={onClose}
      missing={device ? {} : { deviceId: t('sipAccount.deviceMissing') }}
    >
      {(error) => (
        <Select
          name="deviceId"
          label={t('sipAccount.device')}
          placeholder={t('sipAccount.deviceSearch')}
          data={options}
          value={device?.id ?? null}
          onChange={(id) => setDevice(id === null ? undefined : { id, name: names.get(id) ?? device?.name ?? '' })}
          searchable
          filter={({ options: all }) => all}
          onSearchChange={setSearch}
          openOnFocus={false}
          nothingFoundMessage={t('sipAccount.deviceNone')}
          error={error}
          data-autofocus
        />
      )}
    </AssignDialog>
  );
}

/** Assigns an account to a line of this device. */
export function AssignToLine({
  device,
  line,
  onClose,
}: {
  device: { id: string; name: string };
  line: number;
  onClose: () => void;
}) {
  const { t } = useText();
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), 250);
  const [account, setAccount] = useState<{ id: string; name: string }>();
  const accounts = useQuery(accountNamesQuery(asked)).data ?? [];
  const label = (a: (typeof accounts)[number]) =>
    a.devices === 0
      ? `${a.name} · ${a.number} · ${a.server}`
      : t('sipAccount.usedBy', { account: `${a.name} · ${a.number} · ${a.server}`, count: a.devices });
  const options = accounts.map((a) => ({ value: a.id, label: label(a) }));
  if (account && !accounts.some((a) => a.id === account.id))
    options.unshift({ value: account.id, label: account.name });
  return (
    <AssignDialog
      title={t('sipAccount.assignLine', { line, device: device.name })}
      device={device}
      account={account}
      line={line}
      onClose={onClose}
      missing={account ? {} : { accountId: t('sipAccount.accountMissing') }}
    >
      {(error) => (
        <Select
          name="accountId"
          label={t('sipAccount.account')}
          placeholder={t('sipAccount.accountSearch')}
          data={options}
          value={account?.id ?? null}
          onChange={(id) => {
            const chosen = accounts.find((a) => a.id === id);
            setAccount(chosen && { id: chosen.id, name: chosen.name });
          }}
          searchable
          filter={({ options: all }) => all}
          onSearchChange={setSearch}
          openOnFocus={false}
          nothingFoundMessage={t('sipAccount.accountNone')}
          error={error}
          data-autofocus
        />
      )}
    </AssignDialog>
  );
}

function AssignDialog({
  title,
  device,
  account,
  line,
  missing,
  children,
  onClose,
}: {
  title: string;
  device: { id: string; name: string } | undefined;
  account: { id: string; name: string } | undefined;
  /** Absent when the line is chosen here. */
  line?: number;
  missing: Partial<Record<'deviceId' | 'accountId', string>>;
  children: (error: ReactNode) => ReactNode;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ deviceId: '', accountId: '', line: free });
  const { values, fault } = form;
  const lines = useQuery({ ...deviceLinesQuery(device?.id ?? ''), enabled: device !== undefined }).data;
  const choice = (l: DeviceLine) =>
    l.account
      ? t('sipAccount.lineTaken', { line: l.line, account: l.account.name })
      : t('sipAccount.lineFree', { line: l.line });
  const save = async () => {
    const chosen = line ?? (values.line === free ? undefined : Number(values.line));
    const done = await call(assignAccount, {
      body: {
        deviceId: device!.id,
        accountId: account!.id,
        ...(chosen === undefined ? {} : { line: chosen }),
      },
    });
    for (const queryKey of lineKeys) await client.invalidateQueries({ queryKey });
    const what = { account: account!.name, device: device!.name, line: done.line };
    showToast(
      done.also.length === 0
        ? t('sipAccount.assigned', what)
        : t('sipAccount.assignedAlso', { ...what, others: done.also.map((d) => d.name).join(', ') }),
    );
    onClose();
  };
  return (
    <FormDialog
      title={title}
      form={form}
      confirm={t('sipAccount.assignButton')}
      onSubmit={form.submit(() => missing, save)}
      onClose={onClose}
    >
      {children(fault('deviceId') || fault('accountId'))}
      {line === undefined && (
        <SelectField
          form={form}
          name="line"
          label={t('sipAccount.line')}
          data={[
            { value: free, label: t('sipAccount.lineFirstFree') },
            ...(lines ?? []).slice(0, linesPerDevice).map((l) => ({ value: String(l.line), label: choice(l) })),
          ]}
          disabled={device === undefined}
        />
      )}
    </FormDialog>
  );
}
