import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../../kit/text/translate.ts';
import { choiceName } from './choice-name.ts';
import { FileChoice } from './file-choice.tsx';
import { FilePairs } from './file-pairs.tsx';
import { askedFields, filesBy, type FilePair, type FilesBy, type ParamField } from './params.ts';

/** Renders the field of a parameter according to its schema. */
export function ActionParam({
  action,
  field,
  by,
  label,
  value,
  onValue,
  className,
  error,
}: {
  action: string;
  field: ParamField;
  /** How files are chosen, when there are several ways. */
  by?: FilesBy | undefined;
  label: string;
  value: unknown;
  onValue: (v: unknown) => void;
  className?: string | undefined;
  /** The parameter's fault. */
  error?: ReactNode;
}) {
  const shared = { label, ...(className === undefined ? {} : { className }) };
  switch (field.kind) {
    case 'switch':
      return <Checkbox {...shared} checked={value === true} onChange={(e) => onValue(e.currentTarget.checked)} />;
    case 'number':
      return (
        <NumberInput
          {...shared}
          value={value as number}
          {...(field.minimum === undefined ? {} : { min: field.minimum })}
          {...(field.maximum === undefined ? {} : { max: field.maximum })}
          onChange={onValue}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          {...(field.key === 'by' && value === 'template' ? { description: t('filePairs.hint.template') } : {})}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={field.options!.map((choice) => ({ value: choice, label: choiceName(action, field.key, choice) }))}
          value={(value as string | undefined) ?? null}
          onChange={onValue}
          allowDeselect={false}
          openOnFocus={false}
          comboboxProps={{ withinPortal: true }}
        />
      );
    case 'file':
      return (
        <FileChoice
          {...shared}
          noun={field.noun!}
          value={value as string | undefined}
          onValue={onValue}
          error={error}
        />
      );
    case 'pairs':
      return by === undefined || by === 'file' || by === 'template' ? null : (
        <FilePairs
          {...shared}
          // A choice of sites is not valid for groups.
          key={by}
          noun={field.noun!}
          by={by}
          pairs={(value as readonly FilePair[] | undefined) ?? [{}]}
          onPairs={onValue}
          error={error}
        />
      );
    case 'text':
      return (
        <TextInput
          {...shared}
          value={(value as string | undefined) ?? ''}
          onChange={(e) => onValue(e.currentTarget.value)}
        />
      );
  }
}

const isWhole = ({ of, fileId }: FilePair): boolean => of !== undefined && fileId !== undefined;

/** Returns a message when a file is not chosen yet; otherwise undefined. */
export function lackedFile(fields: readonly ParamField[], values: Record<string, unknown>): string | undefined {
  const asked = askedFields(fields, values);
  const by = filesBy(fields, values);
  const pairs = asked.find(({ kind }) => kind === 'pairs');
  if (pairs && by !== undefined && by !== 'file' && by !== 'template') {
    const chosen = (values[pairs.key] as readonly FilePair[] | undefined) ?? [{}];
    return chosen.every(isWhole) ? undefined : t(`filePairs.missing.${by}`);
  }
  const noun = asked.find(({ kind, key }) => kind === 'file' && values[key] === undefined)?.noun;
  return noun && t(`${noun}.choiceMissing`);
}

/** Returns the parameters to send: chosen values, else initial ones, without fields that are not asked for. */
export const paramsOf = (fields: readonly ParamField[], values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    askedFields(fields, values)
      .map((f): [string, unknown] => {
        const value = values[f.key] ?? f.initial;
        if (f.kind !== 'pairs' || value === undefined) return [f.key, value];
        return [
          f.key,
          (value as readonly FilePair[]).filter(isWhole).map(({ of, fileId }) => ({ of, [`${f.noun!}Id`]: fileId })),
        ];
      })
      .filter(([, v]) => v !== undefined),
  );

/** Returns the form's values for the parameters of an existing task. */
export const valuesOf = (fields: readonly ParamField[], params: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => {
      const field = fields.find((f) => f.key === key);
      if (field?.kind !== 'pairs') return [key, value];
      const pairs = value as readonly Record<string, string>[];
      return [key, pairs.map((pair) => ({ of: pair['of'], fileId: pair[`${field.noun!}Id`] }))];
    }),
  );
