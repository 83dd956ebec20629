import type { TaskDeviceRecord, TaskRecord } from '@carillon/contracts';
import type { Column } from '../../../kit/grid/grid.types.ts';
import { useExport } from '../../../kit/grid/use-export.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { taskStatuses } from './task.calls.ts';

/** Returns the order for a file of the task's devices with their results, and the strip that shows the file. */
export function useResultFile(task: TaskRecord) {
  const { t } = useText();
  const titles = {
    name: t('task.device'),
    mac: t('device.mac'),
    model: t('device.model'),
    status: t('task.status'),
    progress: t('taskResult.percent'),
    reason: t('task.reason'),
    tryNumber: t('taskResult.try'),
    sentAt: t('taskResult.toldAt'),
    acceptedAt: t('taskResult.acceptedAt'),
    updatedAt: t('taskResult.changedAt'),
    time: t('taskResult.seconds'),
  };
  const status = Object.fromEntries(taskStatuses.map((state) => [state, t(`state.${state}`)]));
  return useExport<TaskDeviceRecord>({
    of: {
      // Each task has its own file.
      name: `taskDevice-${task.id}`,
      title: 'taskResult.file',
      service: 'task',
      list: { path: `/api/f/task/task/${task.id}/device/list` },
      columns: [{ key: 'status', words: status }],
    },
    columns: Object.entries(titles).map(([key, title]): Column<TaskDeviceRecord> => ({
      key,
      title,
      width: 0,
      render: () => null,
    })),
    filters: [],
  });
}
