/**
 * SQLSTATE classes and codes of a server that is unavailable, starting or full, or of conflicts: the same statement may
 * succeed later.
 */
const transientStates = /^(08|53|57P|40)|^(55P03|57014|25006)$/;

/** Returns whether a retry may help: connection lost, server restarting, serialization failure, deadlock. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity, cause, syscall } = error as Error & { code?: unknown; severity?: unknown; syscall?: unknown };
  if (typeof code === 'string' && severity !== undefined) return transientStates.test(code);
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code) && syscall !== undefined) return true;
  // Errors of `pg` itself have no code.
  if (
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after)/.test(
      error.message,
    )
  )
    return true;
  return cause !== undefined && isTransient(cause);
}

/** Returns whether PostgreSQL cancelled a statement because of its timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && ((error as { code?: unknown }).code === '57014' || isTimeout(error.cause));
}
