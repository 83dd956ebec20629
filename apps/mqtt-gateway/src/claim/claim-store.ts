/**
 * Who holds a device (decisions 5). A claim's epoch is higher than every earlier one of the device, and not lower than
 * the store's time in ms, so that a store that lost its memory does not freeze presence. Every driver passes
 * `claim-store.suite.ts`.
 */
export interface ClaimStore {
  /** A gateway process enters; `lost` is called when another took a device from it, perhaps before its own claim returned. */
  join(gateway: string, lost: (mac: string, epoch: number) => void): Promise<void>;
  /** Takes the device, from whoever had it; answers the epoch. A plain number when no waiting is needed. */
  claim(mac: string, gateway: string): number | Promise<number>;
  /** Gives the device back, if the claim of this epoch still stands. */
  release(mac: string, gateway: string, epoch: number): void | Promise<void>;
  /** Whether this process may trust its claims: false when its lease may have lapsed. No door command goes out then. */
  confirmed(gateway: string): boolean;
  leave(gateway: string): Promise<void>;
}
