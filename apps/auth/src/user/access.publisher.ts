import { authAccess } from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { publishAccounts } from '../company/account.publisher.ts';
import { accessRows, raiseVersion, type AccessRow } from './user.queries.ts';

export async function publishAccess(rows: readonly AccessRow[]): Promise<void> {
  for (const { version, ...view } of rows)
    await emit(authAccess, 'access', view.userId, view, { companyId: view.companyId, version });
}

/**
 * Publishes a change of users or of their roles, in its transaction: every API gateway knows it within a second
 * (ROLE-01).
 */
export async function accessChanged(userIds: readonly string[]): Promise<void> {
  await publishAccounts(userIds);
  await raiseVersion(userIds);
  await publishAccess(await accessRows(userIds));
}
