import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ApprovalState } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** Which tasks of a company need a second person. The row's id is the company's. */
export const ApprovalRule = defineEntity({
  name: 'ApprovalRule',
  tableName: 'approval_rule',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** From so many devices on; null: none. */
    devices: p.integer().strictNullable(),
    actions: p.json<string[]>(),
    updatedAt: changedInstant(3),
  },
});

/**
 * What begins when it is approved: as the task's schedule says, what a person asked for meanwhile, or the next stage of
 * the run that goes on.
 */
export const begins = ['plan', 'now', 'rerunAll', 'rerunFailed', 'stage'] as const;
export type Begins = (typeof begins)[number];
/** What begins a run. */
export type BeginsRun = Exclude<Begins, 'stage'>;

/** What a second person is asked about a task, and has said. */
export interface Approval {
  state: ApprovalState;
  /** How many devices its target meant when it was asked: so many are approved. */
  devices: number;
  /** Where they are: who does not see all of these is told no figure, and cannot answer. */
  orgIds: string[];
  askedAt: string;
  begins: Begins;
  by: string | null;
  byId: string | null;
  at: string | null;
  reason: string | null;
}

/** What can happen to it. What was refused stays so: a new task is another question. */
export const approvalMoves = {
  asked: { ask: 'asked', approve: 'approved', refuse: 'refused' },
  approved: { ask: 'asked' },
  refused: {},
} as const satisfies Record<ApprovalState, Partial<Record<'ask' | 'approve' | 'refuse', ApprovalState>>>;
