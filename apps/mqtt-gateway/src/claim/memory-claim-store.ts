import type { ClaimHolder, ClaimStore } from './claim-store.ts';

/** Claims of the gateways in one process; standalone has one gateway. */
export class MemoryClaimStore implements ClaimStore {
  private readonly held = new Map<string, { gateway: string; epoch: number }>();
  private readonly joined = new Map<string, ClaimHolder>();
  /** Highest released epoch, so that epochs rise even when the clock is set back. */
  private floor = 0;

  constructor(private readonly clock: { now(): number }) {}

  async join(gateway: string, holder: ClaimHolder): Promise<void> {
    this.joined.set(gateway, holder);
  }

  claim(mac: string, gateway: string): number {
    const before = this.held.get(mac);
    const epoch = Math.max(this.clock.now(), (before?.epoch ?? 0) + 1, this.floor + 1);
    this.held.set(mac, { gateway, epoch });
    if (before !== undefined && before.gateway !== gateway) this.joined.get(before.gateway)?.loseDevice(mac, epoch);
    return epoch;
  }

  release(mac: string, gateway: string, epoch: number): void {
    const held = this.held.get(mac);
    if (held === undefined || held.gateway !== gateway || held.epoch !== epoch) return;
    this.held.delete(mac);
    this.floor = Math.max(this.floor, epoch);
  }

  alone(): boolean {
    return false;
  }

  confirmed(gateway: string): boolean {
    return this.joined.has(gateway);
  }

  async leave(gateway: string): Promise<void> {
    this.joined.delete(gateway);
    for (const [mac, held] of this.held) if (held.gateway === gateway) this.release(mac, gateway, held.epoch);
  }
}
