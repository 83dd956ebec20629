import { passwordFault } from '@carillon/contracts/password';
import { currentEntities } from '@carillon/persistence';
import { failAt } from '@carillon/service';
import { CompanyCopy } from '../company/company.entity.ts';

/** Throws when a password contains one of the user's names; `path` is the password's field. */
export function refuseNames(path: string, password: string, names: readonly (string | null | undefined)[]): void {
  const fault = passwordFault(password, names);
  if (fault) failAt(path, fault);
}

/** Does the same and also checks the company's name. Runs inside a transaction of the company. */
export async function refuseOwnNames(
  path: string,
  password: string,
  user: { username: string; email?: string | null | undefined },
): Promise<void> {
  const [company] = await currentEntities().findAll(CompanyCopy, { limit: 1 });
  refuseNames(path, password, [user.username, user.email, company?.name]);
}
