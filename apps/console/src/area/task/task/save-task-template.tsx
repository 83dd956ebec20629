import { useQuery } from '@tanstack/react-query';
import type { TaskRecord } from '@carillon/contracts';
import { useAccess } from '../../../kit/api/access.ts';
import { taskTargetQuery } from './one-task.calls.ts';
import SaveTemplateDialog from '../template/save-template-dialog.tsx';

/** Saves an existing task as a template. */
export default function SaveTaskTemplate({ task, onClose }: { task: TaskRecord; onClose: () => void }) {
  const access = useAccess();
  const { data } = useQuery(taskTargetQuery(task.id));
  if (!data) return null;
  const { action, params, schedule, timeZone, inSiteZones, durationMinutes, sync, versionRange, rollout, pace } = task;
  const overrideFreeze = task.overrideFreeze && access.can('overrideFreeze');
  const order = {
    action,
    params,
    schedule,
    timeZone,
    inSiteZones,
    durationMinutes,
    sync,
    versionRange,
    rollout,
    overrideFreeze,
    pace,
  };
  return <SaveTemplateDialog name={task.name} order={order} target={data.target} onClose={onClose} />;
}
