import type { ErrorKey } from '@carillon/contracts/errors';
import { context } from '@carillon/tenancy';
import type { Cache } from './cache/index.ts';
import { fail, Failure } from './failure.ts';

/** Most "taken" responses per hour. A user who looks for a free name needs a few. */
const most = 20;
const hourMs = 3_600_000;

/**
 * Values that are unique in the installation (a login name, an email, a MAC) cannot be taken twice, so a refusal
 * reveals that the value exists, perhaps in another company. Runs `work` and counts its refusals with these errors per
 * user; above the limit it looks nothing up for that user for an hour. Refusals are in the operation log like any
 * other.
 */
export async function countingTaken<T>(cache: Cache, errors: readonly ErrorKey[], work: () => Promise<T>): Promise<T> {
  const key = `taken:${context().userId ?? ''}`;
  const tooMany = (): never => fail('common.tooMany', { seconds: hourMs / 1000 });
  if (Number((await cache.get(key)) ?? 0) >= most) tooMany();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure) || !errors.includes(error.key)) throw error;
    // Parallel calls above the limit learn nothing.
    if ((await cache.increment(key, hourMs)) > most) tooMany();
    throw error;
  }
}
