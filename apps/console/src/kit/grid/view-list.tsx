import { useState } from 'react';
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { IconDeviceFloppy, IconTrash, IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { listViews, RouteOutput } from '@carillon/contracts';
import type { Arrangement, Layout } from './layout.ts';
import type { ListState } from './search.ts';
import { Failed } from './states.tsx';
import { RefusalBox } from '../part/refusal-box.tsx';
import { useForm } from '../part/use-form.tsx';
import { refusalOf } from '../part/refusal.ts';
import { call, remote } from '../session/call.ts';
import { useText } from '../text/use-text.ts';
import css from './view-list.module.css';

const list = remote('listViews', 'GET /api/f/org/view');
const add = remote('addView', 'POST /api/f/org/view');
const edit = remote('editView', 'PUT /api/f/org/view');
const remove = remote('deleteView', 'DELETE /api/f/org/view');
type View = RouteOutput<typeof listViews>[number];

export interface ViewListProps<T, F extends string> {
  /** The list's own name. */
  name: string;
  layout: Layout<T>;
  state: ListState<F>;
  onState: (next: ListState<F>) => void;
  onDone: () => void;
}

/**
 * Saved views of a list: filters, sort, page size and columns under a name, for oneself or for the company (issue
 * "Lists").
 */
export default function ViewList<T, F extends string>({
  name: of,
  layout,
  state,
  onState,
  onDone,
}: ViewListProps<T, F>) {
  const { t } = useText();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['view', of],
    queryFn: ({ signal }) => call(list, { query: { list: of } }, { signal }),
  });
  const { values, set, fault, submit, refusal, busy } = useForm({ name: '', shared: false });
  const [failed, setFailed] = useState<string>();
  // The page is where one looks, not what one looks at.
  const shown = () => ({
    state: {
      search: state.search,
      limit: state.limit,
      filters: state.filters as Record<string, string[]>,
      ...(state.sort === undefined ? {} : { sort: state.sort }),
    },
    layout: layout.stored,
  });
  const changed = () => client.invalidateQueries({ queryKey: ['view', of] });
  const save = async () => {
    await call(add, { body: { list: of, name: values.name.trim(), shared: values.shared, ...shown() } });
    set({ name: '', shared: false });
    await changed();
  };
  const run = (work: Promise<unknown>) =>
    void work.then(changed).then(
      () => setFailed(undefined),
      (e: unknown) => setFailed(refusalOf(e).text),
    );
  function open({ state: { search, limit, sort, filters }, layout: columns }: View) {
    layout.apply(columns as Arrangement);
    onState({
      search,
      limit: limit as ListState<F>['limit'],
      sort,
      filters: filters as ListState<F>['filters'],
      page: 1,
    });
    onDone();
  }
  const keep = (v: View, change: Partial<View>) => {
    const { id, name, shared, state: s, layout: l } = { ...v, ...change };
    run(call(edit, { body: { id, name, shared, state: s, layout: l } }));
  };
  return (
    <div className={css.views}>
      {query.isError && <Failed text={t('view.listFailed')} error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && <p className={css.none}>{t('view.none')}</p>}
      {query.data && query.data.length > 0 && (
        <ul className={css.list}>
          {query.data.map((v) => (
            <li key={v.id}>
              <button type="button" className={css.open} onClick={() => open(v)}>
                <span className="ellipsis" title={v.name}>
                  {v.name}
                </span>
                {v.shared && (
                  <small className="ellipsis">
                    {v.own ? t('view.shared') : t('view.sharedBy', { name: v.owner || '–' })}
                  </small>
                )}
              </button>
              {v.own && (
                <>
                  <ActionIcon
                    variant="subtle"
                    size={26}
                    aria-label={t('view.update', { name: v.name })}
                    title={t('view.update', { name: v.name })}
                    onClick={() => keep(v, shown() as Partial<View>)}
                  >
                    <IconDeviceFloppy size={15} stroke={1.75} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    size={26}
                    aria-pressed={v.shared}
                    aria-label={t('view.shareOne', { name: v.name })}
                    title={t('view.shareOne', { name: v.name })}
                    onClick={() => keep(v, { shared: !v.shared })}
                  >
                    <IconUsers size={15} stroke={1.75} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    size={26}
                    aria-label={t('view.delete', { name: v.name })}
                    title={t('view.delete', { name: v.name })}
                    onClick={() => run(call(remove, { query: { id: v.id } }))}
                  >
                    <IconTrash size={15} stroke={1.75} />
                  </ActionIcon>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
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
        />
        <Checkbox
          name="shared"
          label={t('view.share')}
          checked={values.shared}
          onChange={(e) => set({ shared: e.currentTarget.checked })}
        />
        <RefusalBox refusal={refusal ?? (failed === undefined ? undefined : { text: failed })} />
        <Button type="submit" size="xs" loading={busy}>
          {t('view.save')}
        </Button>
      </form>
    </div>
  );
}
