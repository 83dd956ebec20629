import { z } from 'zod';
import { longestStageWaitMinutes, longestWatchMinutes } from '../define/constant.ts';
import { tagKey, tagValue } from '../device/device.schemas.ts';

/**
 * Signs that a device is unhealthy after a change: it is offline, a line cannot register, or it crashed and restarted.
 */
export const healthFacts = ['offline', 'lines', 'restarts'] as const;
export type HealthFact = (typeof healthFacts)[number];

/**
 * The gate between two stages: changed devices are watched for `minutes`. The task pauses when a fact is true of a
 * share of them that is at least `pauseAt` percentage points higher than among unchanged devices.
 */
export const taskHealthGate = z.strictObject({
  minutes: z.int().min(1).max(longestWatchMinutes),
  pauseAt: z.int().min(1).max(100),
});
export type TaskHealthGate = z.output<typeof taskHealthGate>;

/** The last stage of a rollout by tags: the devices without a listed tag. */
export const restStage = 'rest';
/** A stage of a rollout: a cumulative share of the target in percent, a tag, or the rest. */
const taskStage = z.union([
  z.int().min(1).max(100),
  z.strictObject({ key: tagKey, value: tagValue }),
  z.literal(restStage),
]);
export type TaskStage = z.output<typeof taskStage>;

function isStageOrder(all: readonly TaskStage[]): boolean {
  if (all.every((stage) => typeof stage === 'number'))
    return all.at(-1) === 100 && all.every((share, n) => n === 0 || share > (all[n - 1] as number));
  const tags = all.slice(0, -1);
  return (
    all.at(-1) === restStage &&
    tags.every((stage) => typeof stage === 'object') &&
    new Set(tags.map((tag) => JSON.stringify(tag))).size === tags.length
  );
}

/**
 * A rollout in stages (TASK-08), by percent of the target or by tags. With tags a device belongs to the stage of its
 * first listed tag when the run begins. A stage in which at least `pauseAt` percent of the devices that received the
 * command failed or timed out pauses the task; otherwise the next one begins when no device is running. Offline devices
 * are not waited for. When the window ends before the last stage has begun, the task pauses, unless it repeats.
 */
export const taskRollout = z.strictObject({
  stages: z.array(taskStage).min(2).max(10).refine(isStageOrder, 'task.stages'),
  pauseAt: z.int().min(1).max(100),
  /**
   * The next stage begins when at least this percentage of the devices that received the command succeeded, and one at
   * least. Until then the stage waits for its offline devices, and the task pauses when none is left.
   */
  successAt: z.int().min(1).max(100).optional(),
  /**
   * When the task pauses by itself, changed devices go back to their old version (decisions of the fleet, 15). Only for
   * firmware.
   */
  rollback: z.boolean().optional(),
  health: taskHealthGate.optional(),
  /**
   * Least minutes between the end of a stage and the start of the next one. Devices that come back meanwhile still
   * belong to the ended stage, and its failures still count. All waits together must be shorter than `durationMinutes`.
   */
  waitMinutes: z.int().min(1).max(longestStageWaitMinutes).optional(),
});
export type TaskRollout = z.output<typeof taskRollout>;
/**
 * Why a task is paused: too many failures in a stage, unhealthy changed devices, too few successes in a stage, a window
 * that ended before the last stage began, or a user.
 */
export const pauseReasons = ['failures', 'health', 'successes', 'window', 'person'] as const;

/** Number of devices in a group, and of those for which each fact is true. */
const healthCounts = z.object({
  devices: z.int(),
  offline: z.int(),
  lines: z.int(),
  restarts: z.int(),
});
export type HealthCounts = z.output<typeof healthCounts>;

/** Result of the gate behind a stage. */
export const taskHealth = z.object({
  stage: z.int(),
  /** Start and end of the watch. */
  beganAt: z.string(),
  endsAt: z.string(),
  /** End of the previous watch: devices changed before it were judged by that one. Null for the first. */
  judgedUntil: z.string().nullable(),
  /** Null while the watch lasts. */
  found: z
    .object({
      changed: healthCounts,
      /** Devices of the target that are not changed yet, if they were online during the watch. */
      rest: healthCounts,
      /** The facts that paused the task; empty when the next stage began. */
      worse: z.array(z.enum(healthFacts)),
    })
    .nullable(),
});
export type TaskHealth = z.output<typeof taskHealth>;
