import type { ErrorKey } from '@carillon/contracts/errors';
import { context } from '@carillon/tenancy';
import type { Cache } from './cache/index.ts';
import { fail, Failure } from './failure.ts';

/** So many answers in an hour that something is somebody else's already. A person who looks for a name needs a few. */
const most = 20;
const hourMs = 3_600_000;

/**
 * What is one in the whole installation (a login name, an email, a MAC) cannot be taken twice, so its refusal tells
 * that somebody has it, perhaps in another company. Runs `work` and counts its refusals by these errors, of each user;
 * after some in an hour nothing is looked up for that user. Refusals are in the operation log like any other.
 */
export async function countingTaken<T>(cache: Cache, errors: readonly ErrorKey[], work: () => Promise<T>): Promise<T> {
  const key = `taken:${context().userId ?? ''}`;
  const tooMany = (): never => fail('common.tooMany', { seconds: hourMs / 1000 });
  if (Number((await cache.get(key)) ?? 0) >= most) tooMany();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !errors.includes(error.key)) throw error;
    // Of many at once those above the limit learn nothing.
    if ((await cache.increment(key, hourMs)) > most) tooMany();
    throw error;
  }
}
