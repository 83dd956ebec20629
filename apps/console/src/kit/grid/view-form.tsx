import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../part/done.ts';
import { RefusalBox } from '../part/refusal-box.tsx';
import { CheckField, TextField } from '../part/form-field.tsx';
import { useForm } from '../part/use-form.tsx';
import { call, remote } from '../api/call.ts';
import { useText } from '../text/use-text.ts';
import type { Arrangement } from './layout.ts';
import type { ListState } from './search.ts';
import { keptOf } from './view.ts';
import css from './view-list.module.css';

const add = remote('addView', 'POST /api/f/org/view');

/** Saves the current list as a view, for the user or for the company. */
export default function ViewForm({
  list,
  state,
  layout,
  onSaved,
}: {
  /** Name of the list. */
  list: string;
  state: ListState<string>;
  layout: Arrangement;
  onSaved: (id: string) => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ name: '', shared: false });
  const { values, refusal, busy } = form;
  const save = async () => {
    const body = { list, name: values.name.trim(), shared: values.shared, ...keptOf(state, layout) };
    const { id } = await call(add, { body: body as never });
    await client.invalidateQueries({ queryKey: ['view', list] });
    onSaved(id);
    await done('saved', { name: body.name });
  };
  return (
    <form
      onSubmit={form.submit(() => (values.name.trim() === '' ? { name: t('view.nameMissing') } : {}), save)}
      noValidate
      className={css.form}
    >
      <TextField form={form} name="name" label={t('view.name')} maxLength={64} data-autofocus />
      <CheckField form={form} name="shared" label={t('view.share')} />
      <RefusalBox refusal={refusal} />
      <Button type="submit" size="xs" loading={busy}>
        {t('view.save')}
      </Button>
    </form>
  );
}
