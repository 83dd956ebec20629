import type { ReactNode } from 'react';
import { ActionIcon, Autocomplete, Button, MultiSelect } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeviceRecord, DeviceTarget } from '@carillon/contracts';
import type { Target } from '../../../kit/grid/selection.ts';
import { showToast } from '../../../kit/part/toast.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import type { DeviceFilter } from '../record/device.calls.ts';
import { tagDevices, tagsQuery } from './tag.calls.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './edit-tags.module.css';

export interface TagsRequest {
  target: Target<DeviceFilter>;
  count: number;
  /** Set for a single device, whose tags are edited. */
  device?: Pick<DeviceRecord, 'name' | 'tags'> | undefined;
}
interface Row {
  id: number;
  key: string;
  value: string;
}
type Field = `key${number}` | `value${number}`;
type Values = { rows: readonly Row[]; removed: readonly string[] } & Partial<Record<Field, string>>;

/** Asks for a tag. Offers keys and values that the company uses already. */
function TagRow({
  row,
  isFirst,
  keys,
  values,
  fault,
  onChange,
  onDrop,
}: {
  row: Row;
  isFirst: boolean;
  keys: string[];
  values: string[];
  fault: (field: Field) => ReactNode;
  onChange: (now: Partial<Row>) => void;
  onDrop: () => void;
}) {
  const { t } = useText();
  return (
    <div className={css.row}>
      <Autocomplete
        name={`key${row.id}`}
        aria-label={t('tag.key')}
        placeholder={t('tag.keyExample')}
        data={keys}
        maxLength={32}
        value={row.key}
        onChange={(key) => onChange({ key })}
        error={fault(`key${row.id}`)}
        {...(isFirst ? { 'data-autofocus': true } : {})}
      />
      <Autocomplete
        name={`value${row.id}`}
        aria-label={t('tag.value')}
        data={values}
        maxLength={64}
        value={row.value}
        onChange={(value) => onChange({ value })}
        error={fault(`value${row.id}`)}
      />
      <ActionIcon
        variant="subtle"
        size={30}
        aria-label={t('tag.drop', { name: row.key })}
        title={t('tag.drop', { name: row.key })}
        onClick={onDrop}
      >
        <IconX size={15} stroke={1.75} />
      </ActionIcon>
    </div>
  );
}

/** Edits the tags of one device, or sets and removes tags on several (DEV-14). */
export default function EditTags({ request, onClose }: { request: TagsRequest; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data: known = [] } = useQuery(tagsQuery);
  const { device } = request;
  const had = Object.entries(device?.tags ?? {});
  const form = useForm<Values>({
    rows: [...had, ...(had.length === 0 ? [['', '']] : [])].map(([key, value], id) => ({
      id,
      key: key!,
      value: value!,
    })),
    removed: [],
  });
  const { values, set, fault } = form;
  const { rows, removed } = values;
  const keys = [...new Set(known.map((tag) => tag.key))].sort();
  const change = (row: Row, now: Partial<Row>) =>
    set({
      rows: rows.map((r) => (r.id === row.id ? { ...r, ...now } : r)),
      [`key${row.id}`]: '',
      [`value${row.id}`]: '',
    } as Partial<Values>);
  // An empty row is ignored.
  const given = rows
    .map((r) => ({ ...r, key: r.key.trim(), value: r.value.trim() }))
    .filter((r) => r.key !== '' || r.value !== '');
  const check = () => {
    const faults: Partial<Record<string, string>> = {};
    for (const { id, key, value } of given) {
      if (key === '') faults[`key${id}`] = t('tag.keyMissing');
      else if (given.some((other) => other.id < id && other.key === key)) faults[`key${id}`] = t('tag.keyTwice');
      if (value === '') faults[`value${id}`] = t('tag.valueMissing');
    }
    if (given.length === 0 && removed.length === 0 && had.length === 0) faults[`key${rows[0]!.id}`] = t('tag.nothing');
    return faults as Partial<Record<keyof Values & string, string>>;
  };
  const save = async () => {
    const kept = new Set(given.map((r) => r.key));
    const { changed } = await call(tagDevices, {
      body: {
        target: request.target as DeviceTarget,
        set: given.map(({ key, value }) => ({ key, value })),
        remove: [...removed, ...had.map(([key]) => key)].filter((key) => !kept.has(key)),
      },
    });
    await client.invalidateQueries({ queryKey: ['tag'] });
    await client.invalidateQueries({ queryKey: ['device'] });
    onClose();
    showToast(t('tag.done', { count: changed, number: count(changed) }));
  };
  return (
    <FormDialog
      title={
        device
          ? t('tag.one', { name: device.name })
          : t('tag.many', { count: request.count, number: count(request.count) })
      }
      form={form}
      confirm={t('common.save')}
      onSubmit={form.submit(check, save)}
      onClose={onClose}
    >
      <div>
        <p className={dialog.effect}>{t(device ? 'tag.oneText' : 'tag.manyText')}</p>
        <div className={css.head} aria-hidden>
          <span>{t('tag.key')}</span>
          <span>{t('tag.value')}</span>
        </div>
        {rows.map((row, i) => (
          <TagRow
            key={row.id}
            row={row}
            isFirst={i === 0}
            keys={keys.filter((key) => !rows.some((r) => r.id !== row.id && r.key === key))}
            values={known.filter((tag) => tag.key === row.key.trim()).map((tag) => tag.value)}
            fault={fault}
            onChange={(now) => change(row, now)}
            onDrop={() =>
              // One row always remains to type into.
              set({
                rows: rows.length > 1 ? rows.filter((r) => r.id !== row.id) : [{ id: row.id + 1, key: '', value: '' }],
              })
            }
          />
        ))}
        {rows.length < 20 && (
          <Button
            className={css.add!}
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} stroke={1.75} />}
            onClick={() => set({ rows: [...rows, { id: Math.max(...rows.map((r) => r.id)) + 1, key: '', value: '' }] })}
          >
            {t('tag.add')}
          </Button>
        )}
        {device === undefined && keys.length > 0 && (
          <MultiSelect
            label={t('tag.removed')}
            data={keys}
            value={[...removed]}
            onChange={(next) => set({ removed: next })}
            searchable={keys.length > 8}
          />
        )}
      </div>
    </FormDialog>
  );
}
