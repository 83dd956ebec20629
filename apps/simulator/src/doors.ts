import { systemClock, type UplinkPayload } from '@carillon/device-sdk';

export type DoorState = NonNullable<UplinkPayload<'state'>['doors']>[number];

/** `openedAt` is Unix time in milliseconds by this machine's clock, not by the device's. */
export type CountedDoor = DoorState & { opened: number; openedAt?: number };

/**
 * The doors of a simulated device: each stays open for its time, closes by itself, and counts how often it was opened.
 */
export class Doors {
  private readonly opened = new Map<number, { times: number; at: number }>();
  private readonly closing = new Map<number, () => void>();

  private readonly states: DoorState[];
  private readonly openMs: number;
  private readonly changed: (door: DoorState) => void;

  constructor(states: DoorState[], openMs: number, changed: (door: DoorState) => void) {
    this.states = states;
    this.openMs = openMs;
    this.changed = changed;
  }

  /** The state of each door, how often it was opened since this process started, and when last. */
  get counted(): CountedDoor[] {
    return this.states.map((state) => {
      const opened = this.opened.get(state.door);
      return { ...state, opened: opened?.times ?? 0, ...(opened ? { openedAt: opened.at } : {}) };
    });
  }

  /** Opens or closes a door. Returns false when there is no such door. */
  move(door: number, command: 'open' | 'close'): boolean {
    const state = this.states.find((one) => one.door === door);
    if (!state) return false;
    this.closing.get(door)?.();
    this.closing.delete(door);
    if (command === 'open') {
      this.opened.set(door, { times: (this.opened.get(door)?.times ?? 0) + 1, at: Date.now() });
      this.closing.set(
        door,
        systemClock.after(this.openMs, () => {
          this.closing.delete(door);
          this.set(state, 'closed');
        }),
      );
    }
    this.set(state, command === 'open' ? 'open' : 'closed');
    return true;
  }

  /** Sets states from outside, for a test or a person. */
  put(states: readonly DoorState[]): void {
    for (const { door, status } of states) {
      const state = this.states.find((one) => one.door === door);
      if (state) state.status = status;
    }
  }

  /** Closes all doors because the device goes down: a lock without power falls shut. */
  fall(): void {
    for (const cancel of this.closing.values()) cancel();
    this.closing.clear();
    for (const state of this.states) if (state.status === 'open') state.status = 'closed';
  }

  private set(state: DoorState, status: DoorState['status']): void {
    if (state.status === status) return;
    state.status = status;
    this.changed({ ...state });
  }
}
