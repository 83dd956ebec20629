/**
 * SQLSTATE classes and codes of a server that is away, starting, full or crossed: the same statement may work later.
 */
const transientStates = /^(08|53|57P|40)|^(55P03|57014|25006)$/;

/** Whether trying again may help: connection lost, server restarting, serialization failure, deadlock. */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, severity, cause, syscall } = error as Error & { code?: unknown; severity?: unknown; syscall?: unknown };
  if (typeof code === 'string' && severity !== undefined) return transientStates.test(code);
  if (typeof code === 'string' && /^E[A-Z_]+$/.test(code) && syscall !== undefined) return true;
  // What `pg` itself says has no code.
  if (
    /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after)/.test(
      error.message,
    )
  )
    return true;
  return cause !== undefined && isTransient(cause);
}

/** Whether PostgreSQL ended a statement because of its time. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && ((error as { code?: unknown }).code === '57014' || isTimeout(error.cause));
}
