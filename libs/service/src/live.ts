import { live, type LiveKind } from '@carillon/contracts';
import { emit } from '@carillon/messaging';

/** Notifies the open browsers of a company that these objects changed, with the commit of the change. */
export async function emitLive(
  companyId: string,
  kind: LiveKind,
  ids: readonly string[],
  orgIds: readonly string[] | null,
): Promise<void> {
  if (ids.length === 0) return;
  await emit(
    live,
    'changed',
    companyId,
    { kind, ids: ids.length > 200 ? 'many' : [...ids], orgIds: orgIds === null ? null : [...new Set(orgIds)] },
    { companyId },
  );
}
