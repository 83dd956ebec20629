import type { ReactNode } from 'react';
import {
  Checkbox,
  NumberInput,
  PasswordInput,
  Select,
  Textarea,
  TextInput,
  type CheckboxProps,
  type NumberInputProps,
  type PasswordInputProps,
  type SelectProps,
  type TextareaProps,
  type TextInputProps,
} from '@mantine/core';
import { passwordEye } from './password-eye.ts';
import type { Form } from './use-form.tsx';

/** The names of the values of a form that are a `T`. */
type NamesOf<V extends object, T> = { [K in keyof V & string]: V[K] extends T ? K : never }[keyof V & string];

/** The value of a form that a field shows and changes. */
interface Bound<V extends object, K> {
  form: Pick<Form<V>, 'values' | 'set' | 'fault'>;
  name: K;
  /** Returns other values that follow from the new one. */
  also?: (value: K extends keyof V ? V[K] : never) => Partial<V>;
}

type Given<P> = Omit<P, 'form' | 'name' | 'value' | 'onChange'>;
const mono = { autoCapitalize: 'none', spellCheck: false, classNames: { input: 'mono' } };

/** Returns value, error and change of a field. */
function bind<V extends object, K>({ form, name, also }: Bound<V, K>) {
  const key = name as K & keyof V & string;
  const set = (value: unknown) =>
    form.set({ [key]: value, ...also?.(value as Parameters<typeof also>[0]) } as unknown as Partial<V>);
  return { name: key, value: form.values[key] as unknown, error: form.fault(key), set };
}

/** A line of text; `code` is text for machines, which no keyboard corrects. */
export function TextField<V extends object, K extends NamesOf<V, string>>({
  form,
  name,
  also,
  code = false,
  ...more
}: Bound<V, K> & Given<TextInputProps> & { code?: boolean }) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return (
    <TextInput
      {...field}
      value={value as string}
      onChange={(e) => set(e.currentTarget.value)}
      autoComplete="off"
      {...(code ? mono : {})}
      {...more}
    />
  );
}

/** Text of several lines. */
export function AreaField<V extends object, K extends NamesOf<V, string>>({
  form,
  name,
  also,
  code = false,
  ...more
}: Bound<V, K> & Given<TextareaProps> & { code?: boolean }) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return (
    <Textarea
      {...field}
      value={value as string}
      onChange={(e) => set(e.currentTarget.value)}
      autosize
      minRows={2}
      {...(code ? mono : {})}
      {...more}
    />
  );
}

/** A password that the user chooses for something else than their own account. */
export function PasswordField<V extends object, K extends NamesOf<V, string>>({
  form,
  name,
  also,
  ...more
}: Bound<V, K> & Given<PasswordInputProps>) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return (
    <PasswordInput
      {...field}
      value={value as string}
      onChange={(e) => set(e.currentTarget.value)}
      autoComplete="new-password"
      visibilityToggleButtonProps={passwordEye()}
      aria-invalid={Boolean(field.error)}
      {...more}
    />
  );
}

/** A whole number; an empty field is ''. */
export function NumberField<V extends object, K extends NamesOf<V, number | string>>({
  form,
  name,
  also,
  ...more
}: Bound<V, K> & Given<NumberInputProps>) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return (
    <NumberInput
      {...field}
      allowDecimal={false}
      value={value as number | string}
      onChange={(typed) => set(typed === '' ? '' : Number(typed))}
      {...more}
    />
  );
}

/** One of several values. Long lists can be searched. */
export function SelectField<V extends object, K extends NamesOf<V, string | null>>({
  form,
  name,
  also,
  data,
  ...more
}: Bound<V, K> & Given<Omit<SelectProps, 'data'>> & { data: readonly { value: string; label: string }[] }) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return (
    <Select
      {...field}
      data={data}
      // Mantine shows its placeholder for null only.
      value={value === '' && data.every((option) => option.value !== '') ? null : (value as string | null)}
      onChange={(chosen) => {
        if (chosen !== null || more.clearable) set(chosen ?? '');
      }}
      allowDeselect={false}
      searchable={data.length > 8}
      {...more}
    />
  );
}

/** A yes or no. */
export function CheckField<V extends object, K extends NamesOf<V, boolean>>({
  form,
  name,
  also,
  ...more
}: Bound<V, K> & Given<CheckboxProps> & { label: ReactNode }) {
  const { value, set, ...field } = bind({ form, name, ...(also ? { also } : {}) });
  return <Checkbox {...field} checked={value as boolean} onChange={(e) => set(e.currentTarget.checked)} {...more} />;
}

/** A time zone by its name, such as Europe/Berlin. */
export function ZoneField<V extends object, K extends NamesOf<V, string>>({
  first = [],
  ...field
}: Bound<V, K> &
  Given<Omit<SelectProps, 'data'>> & {
    /** Choices before the zones. */
    first?: readonly { value: string; label: string }[];
  }) {
  const value = field.form.values[field.name as K & keyof V & string] as string;
  // The browser may not know a zone that the server does.
  const names = new Set([value, 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  for (const choice of first) names.delete(choice.value);
  return (
    <SelectField
      {...(field as unknown as Bound<V, NamesOf<V, string | null>>)}
      data={[...first, ...[...names].map((name) => ({ value: name, label: name }))]}
      openOnFocus={false}
    />
  );
}
