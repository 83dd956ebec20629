import type { ErrorKey } from '@carillon/contracts';
import { failAt } from '@carillon/service';

/** Unique indexes and their errors. */
const taken: Record<string, { error: ErrorKey; path: string }> = {
  user_account_username: { error: 'user.nameTaken', path: 'username' },
  user_account_email: { error: 'user.emailTaken', path: 'email' },
};

/** Errors that reveal that a name exists, perhaps in another company. */
export const takenErrors = Object.values(taken).map(({ error }) => error);

/**
 * Maps a violated unique index to its error. Names and emails are unique in the whole installation, and the index
 * decides between two parallel calls.
 */
export async function orTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const found = taken[(error as { constraint?: string }).constraint ?? ''];
    if (found) failAt(found.path, found.error);
    throw error;
  }
}
