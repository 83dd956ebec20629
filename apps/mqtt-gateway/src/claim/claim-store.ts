/** What a gateway process tells the store of its own side. */
export interface ClaimHolder {
  /** Another took the device at `epoch`, perhaps before the own claim returned. */
  loseDevice(mac: string, epoch: number): void;
  /** The highest epoch of the device that this process has heard of; 0 when none. */
  highestEpoch(mac: string): number;
  /** The devices it holds now. */
  heldDevices(): Iterable<{ mac: string; epoch: number }>;
}

/**
 * Who holds a device. A claim's epoch is higher than every earlier one of the device, and not lower than
 * the store's time in ms, so that a store that lost its memory does not freeze presence. Every driver passes
 * `claim-store.suite.ts`.
 */
export interface ClaimStore {
  /** A gateway process enters. */
  join(gateway: string, holder: ClaimHolder): Promise<void>;
  /** Takes the device, from whoever had it; answers the epoch. A plain number when no waiting is needed. */
  claim(mac: string, gateway: string): number | Promise<number>;
  /** Gives the device back, if the claim of this epoch still stands. */
  release(mac: string, gateway: string, epoch: number): void | Promise<void>;
  /** Whether the standing claim was made while the store was away: then only the session's event tells the others. */
  alone(mac: string): boolean;
  /** Whether this process may trust its claims: false when its lease may have lapsed. No door command goes out then. */
  confirmed(gateway: string): boolean;
  leave(gateway: string): Promise<void>;
}
