import { AsyncLocalStorage } from 'node:async_hooks';
import { audit } from '@carillon/contracts';
import { context, type Context, type Visit } from '@carillon/tenancy';
import { emit } from '@carillon/messaging';

export interface AuditNote {
  objectId?: string;
  objectName?: string;
  /** Before and after, or what else tells the change. Never a secret. */
  detail?: Record<string, unknown>;
  /** Of what it was done to, when that belongs to organizations: who does not see them does not read of it. */
  orgIds?: readonly string[];
}

const storage = new AsyncLocalStorage<AuditNote>();

/** Runs `fn`, whose notes go into `note`: they stand there also when it fails. */
export function withAudit<T>(note: AuditNote, fn: () => Promise<T>): Promise<T> {
  return storage.run(note, fn);
}

/** Says what the running change was done to; the entry itself is written with the change, in its transaction. */
export function auditNote(note: AuditNote): void {
  Object.assign(storage.getStore() ?? {}, note);
}

/** What an entry that names no object tells of: the caller alone, who is for those who see the caller's organizations. */
export const aboutCaller = ({ orgIds }: Context): AuditNote => (orgIds === '*' ? {} : { orgIds });

/** Writes the entry of one call into the outbox of the running transaction (SYS-04). */
export async function emitAudit(action: string, result: string, note: AuditNote): Promise<void> {
  const who = context();
  const { visit } = who;
  if (visit) await emitVisit(visit, action, result);
  await emit(audit, 'entry', who.companyId, {
    action,
    userId: who.userId,
    username: who.username,
    objectId: note.objectId ?? null,
    objectName: note.objectName ?? null,
    address: who.address ?? null,
    result,
    requestId: who.requestId,
    detail: { ...note.detail, ...(visit ? { visit: aboutVisit(visit) } : {}) },
    ...(note.orgIds ? { orgIds: [...new Set(note.orgIds)] } : {}),
  });
}

const aboutVisit = ({ accessId, company, customer, allowedBy }: Visit) => ({ accessId, company, customer, allowedBy });

/**
 * What is done in a customer's company stands in the log of the visitor's own company, too: what and at which customer,
 * not to what of theirs. Colleagues who were never let in read that log, and long after the end.
 */
async function emitVisit(visit: Visit, action: string, result: string): Promise<void> {
  const { address, requestId } = context();
  await emit(
    audit,
    'entry',
    visit.companyId,
    {
      action,
      userId: visit.userId,
      username: visit.username,
      objectId: null,
      objectName: visit.customer,
      address: address ?? null,
      result,
      requestId,
      detail: { visit: aboutVisit(visit) },
    },
    { companyId: visit.companyId },
  );
}
