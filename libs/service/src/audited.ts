import { sessionOf, transaction, type Database } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { aboutCaller, emitAudit, withAudit, type AuditNote } from './audit.ts';
import { Failure } from './failure.ts';

/** Runs a change as one transaction, with its entry in the operation log (SYS-04). */
export function auditedTransaction<T>(
  database: Database,
  action: string,
  note: AuditNote,
  work: () => Promise<T>,
): Promise<T> {
  return transaction(database, sessionOf(context()), async () => {
    const result = await withAudit(note, work);
    await emitAudit(action, 'success', note);
    return result;
  });
}

/**
 * Writes a refused attempt to the operation log too. A request with an invalid field is not an operation, unless
 * `alsoInvalid` is set.
 */
export async function auditRefusal(
  database: Database,
  action: string,
  note: AuditNote,
  error: unknown,
  alsoInvalid = false,
): Promise<void> {
  if (!(error instanceof Failure) || (error.status === 400 && !alsoInvalid)) return;
  const who = context();
  const named = note.objectId !== undefined || note.objectName !== undefined;
  const entry = () => emitAudit(action, error.key, named ? note : { ...aboutCaller(who), ...note });
  await transaction(database, sessionOf(who), entry).catch(() => undefined);
}
