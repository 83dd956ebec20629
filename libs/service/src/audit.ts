import { AsyncLocalStorage } from 'node:async_hooks';
import { audit } from '@carillon/contracts';
import { context, type Context, type Visit } from '@carillon/tenancy';
import { emit } from '@carillon/messaging';

export interface AuditNote {
  objectId?: string;
  objectName?: string;
  /** Values before and after, or other facts that describe the change. Never a secret. */
  detail?: Record<string, unknown>;
  /** Organizations of the object, if it belongs to any: users who do not see them do not see the entry. */
  orgIds?: readonly string[];
}

const storage = new AsyncLocalStorage<AuditNote>();

/** Runs `fn` and collects its notes in `note`, which keeps them also when `fn` fails. */
export function withAudit<T>(note: AuditNote, fn: () => Promise<T>): Promise<T> {
  return storage.run(note, fn);
}

/** Records what the running change affects; the entry itself is written in the transaction of the change. */
export function auditNote(note: AuditNote): void {
  Object.assign(storage.getStore() ?? {}, note);
}

/**
 * Returns the note of an entry that names no object: it concerns the caller, and is visible to users who see the
 * caller's organizations.
 */
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
 * Writes a visitor's action in a customer's company also into the log of the visitor's own company: the action and the
 * customer, but not the affected object, because colleagues without access read that log, and long after the visit.
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
