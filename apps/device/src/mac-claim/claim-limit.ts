import { claimLockMinutes, claimTries } from '@carillon/contracts/constants';
import { fail, type Cache } from '@carillon/service';
import { context } from '@carillon/tenancy';

const minuteMs = 60_000;
const lockMs = claimLockMinutes * minuteMs;

/** Returns what a try counts for, with the number of tries that lock it out. */
function counted(mac: string): (readonly [name: string, most: number])[] {
  const { userId, companyId } = context();
  return [
    [`mac:${mac}`, claimTries.mac],
    [`user:${userId ?? ''}`, claimTries.user],
    [`company:${companyId}`, claimTries.company],
  ];
}

/**
 * Fails while the MAC, the user or the company is locked out. A MAC counts whether or not a delivery list has it, so
 * that the answer reveals nothing.
 */
export async function checkClaimLock(cache: Cache, mac: string): Promise<void> {
  const ends = await Promise.all(counted(mac).map(async ([name]) => Number(await cache.get(`claim:lock:${name}`))));
  const leftMs = Math.max(...ends) - Date.now();
  if (leftMs > 0) fail('device.claimLocked', { minutes: Math.ceil(leftMs / minuteMs) });
}

/** Counts a wrong claim, and locks out what has reached its limit. */
export async function countWrongClaim(cache: Cache, mac: string): Promise<void> {
  for (const [name, most] of counted(mac)) {
    if ((await cache.increment(`claim:try:${name}`, lockMs)) < most) continue;
    await cache.set(`claim:lock:${name}`, String(Date.now() + lockMs), lockMs);
    await cache.delete(`claim:try:${name}`);
  }
}
