import { actions, type ActionFile, type FileNoun } from '@carillon/actions';
import { taskFile } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { columns, computed, currentSql } from '@carillon/persistence';
import { Task } from '../task/task.entity.ts';

const clock = columns(Task, 'x', [], {
  ms: computed<number>('(extract(epoch from clock_timestamp()) * 1000)::bigint::float8'),
});

/**
 * Publishes which files a task or baseline needs, that a stopped task may load nothing more, and when they are no
 * longer needed.
 */
export async function publishFileUse(
  companyId: string,
  taskId: string,
  noun: FileNoun,
  [first, ...more]: readonly Pick<ActionFile, 'id'>[],
  state: 'open' | 'stopped' | 'ended',
): Promise<void> {
  // Nothing in the store is needed for what templates make.
  if (!first) return;
  const [now] = await currentSql().rows(clock, `select ${clock}`);
  const moreIds = more.map(({ id }) => id);
  await emit(
    taskFile,
    'file',
    taskId,
    state === 'ended'
      ? null
      : {
          taskId,
          noun,
          objectId: first.id,
          ...(moreIds.length > 0 ? { moreIds } : {}),
          stopped: state === 'stopped',
        },
    // The version is a time of one clock, because a task may run again after it has ended.
    { companyId, version: now!.ms },
  );
}

const over = columns(Task, 't', ['process', 'action'], {
  files: computed<ActionFile[] | null>(
    'coalesce(t.files, case when t.file is not null then jsonb_build_array(t.file) end)',
  ),
});

/** Releases the files of a task that has ended and has no active devices. */
export async function releaseFiles(companyId: string, taskId: string): Promise<void> {
  const [task] = await currentSql().rows(over, `select ${over} from task t where t.id = $1`, [taskId]);
  if (!task?.files) return;
  await publishFileUse(
    companyId,
    taskId,
    actions[task.action]!.file!,
    task.files,
    task.process > 0 ? 'stopped' : 'ended',
  );
}
