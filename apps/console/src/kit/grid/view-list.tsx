import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconTrash, IconUsers } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Failed } from './states.tsx';
import { done } from '../part/done.ts';
import { RefusalBox } from '../part/refusal-box.tsx';
import { refusalOf } from '../part/refusal.ts';
import { call, remote } from '../api/call.ts';
import { useText } from '../text/use-text.ts';
import { useViews, type View } from './view.ts';
import css from './view-list.module.css';

const edit = remote('editView', 'PUT /api/f/org/view');
const remove = remote('deleteView', 'DELETE /api/f/org/view');

/** The saved views of a list: users share and delete their own ones only. */
export default function ViewList({ list }: { list: string }) {
  const { t } = useText();
  const client = useQueryClient();
  const query = useViews(list);
  const [failed, setFailed] = useState<string>();
  const run = (work: Promise<unknown>) =>
    void work
      .then(() => client.invalidateQueries({ queryKey: ['view', list] }))
      .then(
        () => setFailed(undefined),
        (e: unknown) => setFailed(refusalOf(e).text),
      );
  const share = ({ id, name, shared, state, layout }: View) =>
    run(call(edit, { body: { id, name, shared: !shared, state, layout } }));
  return (
    <div className={css.views}>
      {query.isError && <Failed text={t('view.listFailed')} error={query.error} onRetry={() => void query.refetch()} />}
      <ul className={css.list}>
        {query.data?.map((v) => (
          <li key={v.id}>
            <span className={css.name}>
              <span className="ellipsis" title={v.name}>
                {v.name}
              </span>
              {v.shared && (
                <small className="ellipsis">
                  {v.own ? t('grid.viewShared') : t('grid.viewOthers', { name: v.owner || '–' })}
                </small>
              )}
            </span>
            {v.own && (
              <>
                <ActionIcon
                  variant="subtle"
                  size={26}
                  aria-pressed={v.shared}
                  aria-label={t('view.shareOne', { name: v.name })}
                  title={t('view.shareOne', { name: v.name })}
                  onClick={() => share(v)}
                >
                  <IconUsers size={15} stroke={1.75} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  size={26}
                  aria-label={t('view.delete', { name: v.name })}
                  title={t('view.delete', { name: v.name })}
                  onClick={() =>
                    run(call(remove, { query: { id: v.id } }).then(() => done('deleted', { name: v.name })))
                  }
                >
                  <IconTrash size={15} stroke={1.75} />
                </ActionIcon>
              </>
            )}
          </li>
        ))}
      </ul>
      <RefusalBox refusal={failed === undefined ? undefined : { text: failed }} />
    </div>
  );
}
