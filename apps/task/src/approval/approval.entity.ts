import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ApprovalState } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** Which tasks of a company need approval by a second person. The row's id is the company's. */
export const ApprovalRule = defineEntity({
  name: 'ApprovalRule',
  tableName: 'approval_rule',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Lowest number of devices that needs approval; null: none does. */
    devices: p.integer().strictNullable(),
    actions: p.json<string[]>(),
    updatedAt: changedInstant(3),
  },
});

/**
 * What begins on approval: the schedule, a run that a user requested meanwhile, or the next stage of the active run.
 */
export const begins = ['plan', 'now', 'rerunAll', 'rerunFailed', 'stage'] as const;
export type Begins = (typeof begins)[number];
/** What starts a run. */
export type BeginsRun = Exclude<Begins, 'stage'>;

/** An approval request for a task, and its answer. */
export interface Approval {
  state: ApprovalState;
  /** Number of target devices in the request: this many are approved. */
  devices: number;
  /** Organizations of the devices: a user who does not see all of them sees no number, and cannot answer. */
  orgIds: string[];
  askedAt: string;
  begins: Begins;
  by: string | null;
  byId: string | null;
  at: string | null;
  reason: string | null;
}

/** State transitions. A refusal is final: a new task is a new request. */
export const approvalMoves = {
  asked: { ask: 'asked', approve: 'approved', refuse: 'refused' },
  approved: { ask: 'asked' },
  refused: {},
} as const satisfies Record<ApprovalState, Partial<Record<'ask' | 'approve' | 'refuse', ApprovalState>>>;
