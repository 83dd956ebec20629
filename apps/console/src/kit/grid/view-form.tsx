import { Button, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { done } from '../part/done.ts';
import { RefusalBox } from '../part/refusal-box.tsx';
import { useForm } from '../part/use-form.tsx';
import { call, remote } from '../session/call.ts';
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
  const { values, set, fault, submit, refusal, busy } = useForm({ name: '', shared: false });
  const save = async () => {
    const body = { list, name: values.name.trim(), shared: values.shared, ...keptOf(state, layout) };
    const { id } = await call(add, { body: body as never });
    await client.invalidateQueries({ queryKey: ['view', list] });
    onSaved(id);
    await done('saved', { name: body.name });
  };
  return (
    <form
      onSubmit={submit(() => (values.name.trim() === '' ? { name: t('view.nameMissing') } : {}), save)}
      noValidate
      className={css.form}
    >
      <TextInput
        name="name"
        label={t('view.name')}
        maxLength={64}
        value={values.name}
        onChange={(e) => set({ name: e.currentTarget.value })}
        error={fault('name')}
        autoComplete="off"
        data-autofocus
      />
      <Checkbox
        name="shared"
        label={t('view.share')}
        checked={values.shared}
        onChange={(e) => set({ shared: e.currentTarget.checked })}
      />
      <RefusalBox refusal={refusal} />
      <Button type="submit" size="xs" loading={busy}>
        {t('view.save')}
      </Button>
    </form>
  );
}
