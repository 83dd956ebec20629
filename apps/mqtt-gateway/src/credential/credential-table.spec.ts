import { createHash } from 'node:crypto';
import { array, assert, boolean, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CredentialTable } from './credential-table.ts';
import type { Credential } from './credential-table.ts';

const mac = (n: number): string => n.toString(16).padStart(12, '0');
const deviceId = (n: number): string => `01920000-0000-7000-9000-${mac(n)}`;
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
const credential = (n: number, more: Partial<Credential> = {}): Credential => ({
  deviceId: deviceId(n),
  mac: mac(n),
  companyId: 'company',
  orgId: 'org',
  ownerEpoch: 1,
  secretHash: hash(`${n}`),
  previousHash: null,
  enabled: true,
  certificateRequired: false,
  at: 1,
  ...more,
});

describe('the packed credentials', () => {
  it('return what was stored, by MAC and by device', () => {
    const table = new CredentialTable();
    const one = credential(7, {
      orgId: 'o2',
      companyId: 'c2',
      ownerEpoch: 42,
      previousHash: hash('old'),
      enabled: false,
      certificateRequired: true,
      at: 1_790_000_000_123,
    });
    expect(table.put(one)).toEqual([one.mac]);
    expect(table.read(table.slotOfMac(one.mac))).toEqual(one);
    expect(table.slotOfDevice(one.deviceId)).toBe(table.slotOfMac(one.mac));
    expect(table.slotOfMac(mac(8))).toBe(-1);
    expect(table.slotOfMac('not a mac')).toBe(-1);
  });

  it('hold the same as a Map after any mixture of puts, moves and removals', () => {
    const step = record({ remove: boolean(), device: nat(30), mac: nat(20) });
    assert(
      property(array(step, { maxLength: 300 }), (steps) => {
        const table = new CredentialTable();
        const model = new Map<string, string>();
        for (const [at, s] of steps.entries()) {
          if (s.remove) {
            expect(table.remove(deviceId(s.device))).toBe(model.get(deviceId(s.device)) ?? null);
            model.delete(deviceId(s.device));
          } else {
            for (const [id, held] of model) if (held === mac(s.mac) && id !== deviceId(s.device)) model.delete(id);
            table.put(credential(s.device, { mac: mac(s.mac), at, secretHash: hash(`${at}`) }));
            model.set(deviceId(s.device), mac(s.mac));
          }
          expect(table.size).toBe(model.size);
        }
        for (let n = 0; n <= 30; n++) {
          const held = model.get(deviceId(n));
          const slot = table.slotOfDevice(deviceId(n));
          expect(slot === -1 ? undefined : table.macOf(slot)).toBe(held);
          if (held !== undefined) expect(table.slotOfMac(held)).toBe(slot);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keep the later of two devices that claim one MAC, in whichever order they are read', () => {
    for (const order of [
      [1, 2],
      [2, 1],
    ]) {
      const table = new CredentialTable();
      for (const n of order) table.put(credential(n, { mac: mac(99), at: n }));
      expect(table.read(table.slotOfMac(mac(99))).deviceId).toBe(deviceId(2));
    }
  });

  it('name the former MAC of a device, so that its connection is checked', () => {
    const table = new CredentialTable();
    table.put(credential(1));
    expect(table.put(credential(1, { mac: mac(5), at: 2 }))).toEqual([mac(5), mac(1)]);
    expect(table.slotOfMac(mac(1))).toBe(-1);
  });

  it('cost at most 120 bytes per device, and each of 100,000 is found again', () => {
    const table = new CredentialTable();
    const many = Array.from({ length: 100_000 }, (_, n) => credential(n * 7919));
    for (const one of many) table.put(one);
    expect(table.size).toBe(100_000);
    expect(table.bytes / 100_000).toBeLessThanOrEqual(120);
    for (const one of many) expect(table.macOf(table.slotOfDevice(one.deviceId))).toBe(one.mac);
  });
});
