import { describe, expect, it } from 'vitest';
import type { ClaimHolder, ClaimStore } from './claim-store.ts';

/**
 * Tests for every driver of the claims. `make` returns a new store and a way to set its clock, in Unix milliseconds.
 */
export function claimStoreSuite(
  name: string,
  make: () => Promise<{ store: ClaimStore; setClock: (ms: number) => void; close?: () => Promise<void> }>,
): void {
  describe(`claims in ${name}`, () => {
    const two = async () => {
      const { store, setClock, close } = await make();
      setClock(1_000_000);
      const lost = { a: [] as [string, number][], b: [] as [string, number][] };
      const holder = (notices: [string, number][]): ClaimHolder => ({
        loseDevice: (...notice) => void notices.push(notice),
        highestEpoch: () => 0,
        heldDevices: () => [],
      });
      await store.join('a', holder(lost.a));
      await store.join('b', holder(lost.b));
      return { store, setClock, lost, close: close ?? (async () => {}) };
    };

    it('return an epoch that is not below the clock', async () => {
      const { store, close } = await two();
      expect(await store.claim('m1', 'a')).toBeGreaterThanOrEqual(1_000_000);
      await close();
    });

    it('rise with every claim of a device, even within a millisecond and when the clock goes back', async () => {
      const { store, setClock, close } = await two();
      const epochs: number[] = [];
      for (let i = 0; i < 50; i++) {
        if (i === 25) setClock(500_000);
        const gateway = i % 3 === 0 ? 'b' : 'a';
        epochs.push(await store.claim('m1', gateway));
        if (i % 4 === 0) await store.release('m1', gateway, epochs.at(-1)!);
      }
      for (const [i, epoch] of epochs.entries()) if (i > 0) expect(epoch).toBeGreaterThan(epochs[i - 1]!);
      await close();
    });

    it('notify only the gateway that lost a device, with the epoch of the new claim', async () => {
      const { store, lost, close } = await two();
      await store.claim('m1', 'a');
      await store.claim('m2', 'a');
      const epoch = await store.claim('m1', 'b');
      await expect.poll(() => lost.a).toEqual([['m1', epoch]]);
      expect(lost.b).toEqual([]);
      await close();
    });

    it('notify nobody when a gateway claims its own device again', async () => {
      const { store, lost, close } = await two();
      await store.claim('m1', 'a');
      await store.claim('m1', 'a');
      await store.claim('m2', 'b');
      expect(lost).toEqual({ a: [], b: [] });
      await close();
    });

    it('are not released by a gateway that has lost them', async () => {
      const { store, lost, close } = await two();
      const first = await store.claim('m1', 'a');
      const second = await store.claim('m1', 'b');
      await store.release('m1', 'a', first);
      const third = await store.claim('m1', 'a');
      expect(third).toBeGreaterThan(second);
      await expect.poll(() => lost.b).toEqual([['m1', third]]);
      await close();
    });

    it('are free after a release: the next claim notifies nobody', async () => {
      const { store, lost, close } = await two();
      await store.release('m1', 'a', await store.claim('m1', 'a'));
      await store.claim('m1', 'b');
      expect(lost).toEqual({ a: [], b: [] });
      await close();
    });

    it('leave exactly one holder when many claim one device at once', async () => {
      const { store, lost, close } = await two();
      const epochs = await Promise.all(
        Array.from({ length: 40 }, (_, i) => store.claim('m1', i % 2 === 0 ? 'a' : 'b')),
      );
      expect(new Set(epochs).size).toBe(40);
      const highest = Math.max(...epochs);
      const holder = epochs.indexOf(highest) % 2 === 0 ? 'a' : 'b';
      const loser = holder === 'a' ? 'b' : 'a';
      await expect
        .poll(() => lost[loser].at(-1)?.[1] ?? 0)
        .toBeGreaterThan(Math.max(...epochs.filter((_, i) => (i % 2 === 0 ? 'a' : 'b') === loser)));
      expect(lost[holder].every(([, epoch]) => epoch < highest)).toBe(true);
      await close();
    });

    it('end with their gateway, which is then no longer confirmed', async () => {
      const { store, lost, close } = await two();
      expect(store.confirmed('a')).toBe(true);
      await store.claim('m1', 'a');
      await store.leave('a');
      expect(store.confirmed('a')).toBe(false);
      await store.claim('m1', 'b');
      expect(lost).toEqual({ a: [], b: [] });
      await close();
    });
  });
}
