/** What the store needs to know from a gateway process. */
export interface ClaimHolder {
  /** Another process claimed the device at `epoch`, perhaps before the own claim has returned. */
  loseDevice(mac: string, epoch: number): void;
  /** Returns the highest epoch of the device that this process has seen; 0 for none. */
  highestEpoch(mac: string): number;
  /** Returns the devices that it holds now. */
  heldDevices(): Iterable<{ mac: string; epoch: number }>;
}

/**
 * Stores who holds a device. A claim's epoch is higher than every earlier one of the device, and at least the store's
 * time in ms, so that a store that lost its memory does not freeze presence. Every driver passes
 * `claim-store.suite.ts`.
 */
export interface ClaimStore {
  /** Registers a gateway process. */
  join(gateway: string, holder: ClaimHolder): Promise<void>;
  /** Claims the device from any holder. Returns the epoch, as a plain number when no waiting is needed. */
  claim(mac: string, gateway: string): number | Promise<number>;
  /** Releases the device, if the claim with this epoch is still current. */
  release(mac: string, gateway: string, epoch: number): void | Promise<void>;
  /**
   * Returns whether the current claim was made while the store was away: then only the session's event notifies other
   * processes.
   */
  alone(mac: string): boolean;
  /**
   * Returns whether this process may trust its claims; false when its lease may have expired. Door commands are not
   * sent then.
   */
  confirmed(gateway: string): boolean;
  leave(gateway: string): Promise<void>;
}
