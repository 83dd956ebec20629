import { useState } from 'react';
import { Button, Modal, Radio } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TaskRecord } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { refusalOf } from '../../../kit/part/refusal.ts';
import { RefusalBox } from '../../../kit/part/refusal-box.tsx';
import { useAction } from '../../../kit/part/use-action.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { rollbackTask, taskRollbackQuery } from './one-task.calls.ts';
import css from './task-drawer.module.css';

/** Tells which devices go back to which version, and which can’t, before it starts. Needs `pageTexts`. */
export function Rollback({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const { t } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [only, setOnly] = useState<'all' | 'failed'>('all');
  const { busy, refusal, run } = useAction();
  const { data, error, isPlaceholderData } = useQuery({ ...taskRollbackQuery(task.id, only), staleTime: 0 });
  const sum = (counts: readonly { count: number }[]) => counts.reduce((n, v) => n + v.count, 0);
  const going = data?.versions.filter((v) => v.firmware !== null) ?? [];
  const staying = data?.versions.filter((v) => v.firmware === null) ?? [];
  const go = () =>
    run(async () => {
      const { tasks } = await call(rollbackTask, { params: { id: task.id }, body: { only } });
      void client.invalidateQueries({ queryKey: ['task'] });
      await done('added', { name: tasks.map((one) => one.name).join(', ') });
      await navigate({ to: '/task/list', search: { task: tasks[0]!.id } as never });
    });
  return (
    <Modal opened onClose={onClose} title={t('rollback.title', { name: task.name })} withCloseButton={false}>
      <p className={css.text}>{t('rollback.text')}</p>
      <Radio.Group
        className={css.text}
        value={only}
        onChange={(v) => setOnly(v as 'all' | 'failed')}
        aria-label={t('menu.devices')}
      >
        <div className={css.choices}>
          <Radio value="all" label={t('rollback.all')} />
          <Radio value="failed" label={t('rollback.failed')} />
        </div>
      </Radio.Group>
      {data && (
        <div className={css.text} role="status">
          <ul>
            {going.map((v) => (
              <li key={`${v.version} ${v.model}`}>
                {t('rollback.going', { model: v.model, version: v.version, count: v.count, number: count(v.count) })}
                {v.broken.map((one) => (
                  <div key={one.version}>
                    {t('rollback.broken', {
                      version: one.version ?? t('rollback.noVersion'),
                      count: one.count,
                      number: count(one.count),
                    })}
                  </div>
                ))}
              </li>
            ))}
            {staying.map((v) => (
              <li key={`${v.version} ${v.model}`}>
                {t('rollback.staying', { model: v.model, version: v.version, count: v.count, number: count(v.count) })}
              </li>
            ))}
            {data.versions.length === 0 && <li>{t('rollback.none')}</li>}
          </ul>
        </div>
      )}
      <RefusalBox refusal={refusal ?? (error ? refusalOf(error) : undefined)} />
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('common.cancel')}
        </Button>
        <Button loading={busy} disabled={going.length === 0 || isPlaceholderData} onClick={() => void go()}>
          {t('rollback.go', { count: sum(going), number: count(sum(going)) })}
        </Button>
      </div>
    </Modal>
  );
}
