import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, Failure, networkOf } from '@carillon/service';
import type { AuthConfig } from '../config.ts';

const windowMs = 60_000;
const mostAddresses = 20_000;

/**
 * Slows down attempts on many accounts from one address (IPv6: one /64), which locking single accounts does not stop
 * (ASVS 6.3.1).
 */
@Injectable()
export class AddressThrottle {
  private readonly failures = new Map<string, number[]>();

  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /** Throws 429 while the address has too many recent failures. */
  admit(address: string | null, now: Date): void {
    const recent = this.recent(networkOf(address ?? ''), now);
    if (recent.length < this.config.addressFailuresPerMinute) return;
    throw new Failure('common.tooMany', {
      seconds: Math.max(1, Math.ceil((recent[0]! + windowMs - now.getTime()) / 1000)),
    });
  }

  count(address: string | null, now: Date): void {
    const key = networkOf(address ?? '');
    const recent = [...this.recent(key, now), now.getTime()];
    this.failures.delete(key);
    this.failures.set(key, recent);
    // Evicts the oldest entry, so that memory stays bounded.
    if (this.failures.size > mostAddresses) this.failures.delete(this.failures.keys().next().value!);
  }

  private recent(address: string, now: Date): number[] {
    return (this.failures.get(address) ?? []).filter((t) => t > now.getTime() - windowMs);
  }
}
