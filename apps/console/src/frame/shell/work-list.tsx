import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload, IconListCheck, IconTableExport } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TaskRecord } from '@carillon/contracts';
import { allFilesQuery, saveFile } from '../../kit/grid/export-file.calls.ts';
import type { ListFile } from '../../kit/grid/list-file.calls.ts';
import { FieldError } from '../../kit/part/field-error.tsx';
import { useGranted } from '../../kit/api/access.ts';
import { isOver } from '../../area/task/task/one-task.calls.ts';
import { ended, TaskBar } from '../../area/task/task/task-bar.tsx';
import { count } from '../../kit/text/text.ts';
import { moment } from '../../kit/text/time.ts';
import { useText } from '../../kit/text/use-text.ts';
import { lastTasksQuery, runningTasksQuery } from './work.ts';
import css from './bell.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** The user's work from any tab, with progress and result. A task links to its devices, a file can be downloaded. */
export function WorkList({ onLeave }: { onLeave: () => void }) {
  const { t } = useText();
  const navigate = useNavigate();
  const mayTasks = useGranted('/task/list');
  const running = useQuery({ ...runningTasksQuery, enabled: mayTasks }).data?.records ?? [];
  const last = useQuery({ ...lastTasksQuery, enabled: mayTasks }).data?.records ?? [];
  const files = useQuery(allFilesQuery).data ?? [];
  const tasks = [...running, ...last.filter((l) => !running.some((r) => r.id === l.id))];
  if (tasks.length + files.length === 0) return null;
  return (
    <section className={css.work} aria-labelledby="bell-work">
      <div className={css.head}>
        <h3 id="bell-work">{t('work.title')}</h3>
        {tasks.length > 0 && (
          <Link to="/task/list" className={css.clear} onClick={onLeave}>
            {t('work.all')}
          </Link>
        )}
      </div>
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            <FileLine file={file} />
          </li>
        ))}
        {tasks.map((task) => (
          <li key={task.id}>
            <button
              type="button"
              className={css.job}
              onClick={() => {
                onLeave();
                void navigate({ to: '.', search: (s: Record<string, unknown>) => ({ ...s, task: task.id }) as never });
              }}
            >
              <IconListCheck {...icon} />
              <span className={`${css.title} ellipsis`} title={task.name}>
                {task.name}
              </span>
              <span className={css.muted}>{taskWord(t, task)}</span>
              <span className={css.progress}>
                <TaskBar counts={task.counts} thin />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function taskWord(t: ReturnType<typeof useText>['t'], { status, counts }: TaskRecord): string {
  if (!isOver(status)) return t('work.progress', { done: count(ended(counts)), total: count(counts.total) });
  const failed = counts.fail + counts.timeout;
  return failed > 0 ? t('work.failed', { count: failed, number: count(failed) }) : t(`state.${status}`);
}

function FileLine({ file }: { file: ListFile }) {
  const { t } = useText();
  const [fault, setFault] = useState(false);
  const name = `${file.name || t('menu.devices')}.xlsx`;
  return (
    <div className={css.job}>
      <IconTableExport {...icon} />
      <span className={css.title}>
        {name} <span className={css.muted}>{moment(file.createdAt)}</span>
      </span>
      {file.status === 'success' ? (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={15} stroke={1.75} />}
          onClick={() =>
            saveFile(file.service, file.id, name).then(
              () => setFault(false),
              () => setFault(true),
            )
          }
        >
          {t('export.download')}
        </Button>
      ) : (
        <span className={css.muted}>
          {file.status === 'process' ? t('work.progress', { done: count(file.done), total: count(file.total) }) : ''}
        </span>
      )}
      {file.status === 'process' && (
        <progress className={css.progress} value={file.done} max={Math.max(1, file.total)} aria-label={name} />
      )}
      {(fault || file.status === 'fail') && (
        <span role="alert" className={css.progress}>
          <FieldError text={t(fault ? 'common.unreachable' : 'export.failed')} />
        </span>
      )}
    </div>
  );
}
