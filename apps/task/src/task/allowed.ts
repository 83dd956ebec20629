import { actions, type Action } from '@carillon/actions';
import { Failure, fail, failAt, found } from '@carillon/service';
import { can } from '@carillon/tenancy';
import type { TaskRollout } from '@carillon/contracts';

/** Returns the action and its parsed parameters; fails when the caller may not order it. */
export function refuseUnlessAllowed(order: {
  action: string;
  params: Record<string, unknown>;
  rollout: TaskRollout | null;
  durationMinutes: number | null;
  overrideFreeze: boolean;
}): { action: Action; params: Record<string, unknown> } {
  const action = found(Object.hasOwn(actions, order.action) ? actions[order.action] : undefined, 'task.paramsInvalid');
  if (!can(action.right)) fail('common.forbidden', { permission: action.right });
  if (order.overrideFreeze && !can('overrideFreeze')) fail('common.forbidden', { permission: 'overrideFreeze' });
  const params = action.params.safeParse(order.params);
  if (!params.success)
    throw new Failure(
      'task.paramsInvalid',
      {},
      params.error.issues.map((i) => ({
        path: ['params', ...i.path.map(String)].join('.'),
        error: 'common.fieldValue' as const,
      })),
    );
  if (order.rollout?.rollback && action.file !== 'firmware') failAt('rollout.rollback', 'common.fieldValue');
  refuseLongWaits(order);
  return { action, params: params.data as Record<string, unknown> };
}

/** Refuses a rollout whose last stage could not begin in time. */
function refuseLongWaits({
  rollout,
  durationMinutes: minutes,
}: {
  rollout: TaskRollout | null;
  durationMinutes: number | null;
}): void {
  if (!rollout?.waitMinutes || minutes === null) return;
  if (rollout.waitMinutes * (rollout.stages.length - 1) >= minutes)
    failAt('rollout.waitMinutes', 'task.stageWaitTooLong', { minutes });
}
