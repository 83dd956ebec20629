import { describe, expect, it } from 'vitest';
import { helloPayload, linkMac, statePayload } from '@carillon/contracts/link';
import { assign, parseMix } from './behaviour.ts';
import { makeInventory, makePhones } from './inventory.ts';
import { factsOf, modelOf, models, vendorPrefixes } from './model.ts';

describe('the inventory', () => {
  const items = makeInventory(5_000, 1);

  it('has no MAC, serial number or name twice, and only MACs of the vendor', () => {
    for (const field of ['mac', 'sn', 'name'] as const)
      expect(new Set(items.map((item) => item[field])).size).toBe(items.length);
    for (const { mac, model } of items) {
      linkMac.parse(mac);
      expect(vendorPrefixes[models.find(({ name }) => name === model)!.vendor]).toContain(mac.slice(0, 6));
    }
  });

  it('is the same for the same seed, different for another, and a prefix of a longer one', () => {
    expect(makeInventory(200, 1)).toEqual(items.slice(0, 200));
    expect(makeInventory(200, 2).filter(({ mac }) => items.some((item) => item.mac === mac))).toEqual([]);
  });

  it('has phones of every vendor, and doors', () => {
    expect(new Set(makeInventory(200, 1).map(({ model }) => model)).size).toBeGreaterThan(12);
    expect(items.filter(({ model }) => models.find(({ name }) => name === model)!.kind === 'door').length).toBe(
      Math.floor((5_000 + 4) / 12),
    );
  });
});

describe('the facts of a device', () => {
  it('fit the contract, are the same for seed and MAC, and include unconfigured and failed lines', () => {
    const facts = makeInventory(2_000, 1).map(({ mac, model, sn }) => factsOf(1, mac, modelOf(mac, model), sn));
    for (const { hello, state } of facts) {
      helloPayload.parse({ ...hello, uptime: 0, boot: 'power', capabilities: [] });
      statePayload.parse({ ...state, at: 1 });
    }
    const { mac, model, sn } = makeInventory(1, 1)[0]!;
    expect(factsOf(1, mac, modelOf(mac, model), sn)).toEqual(facts[0]);
    const share = (matches: (fact: (typeof facts)[number]) => boolean) => facts.filter(matches).length / facts.length;
    expect(share(({ hello }) => hello.configVersion === undefined)).toBeGreaterThan(0.03);
    expect(share(({ hello }) => hello.configVersion === undefined)).toBeLessThan(0.1);
    expect(share(({ state }) => state.lines.some(({ status }) => status === 'failed'))).toBeGreaterThan(0.015);
    expect(share(({ state }) => state.lines.some(({ status }) => status === 'failed'))).toBeLessThan(0.05);
  });

  it('of an unknown model are those of its vendor under its own name', () => {
    expect(modelOf('805ec0000001', 'SIP-T77Z')).toMatchObject({ name: 'SIP-T77Z', vendor: 'Yealink' });
    expect(modelOf('ffffff000001', undefined).vendor).toBe('Fanvil');
  });
});

describe('a mix of behaviours', () => {
  const macs = makeInventory(200, 1).map(({ mac }) => mac);

  it('is as exact as the number of devices allows, and the same for the same seed', () => {
    const mix = parseMix('normal=90,slow=5,failing=2,offline=1,duplicating=1,reordering=1,dead=0,clock=0');
    const assigned = assign(macs, mix, 7);
    const counts: Record<string, number> = {};
    for (const behaviour of assigned.values()) counts[behaviour] = (counts[behaviour] ?? 0) + 1;
    expect(counts).toEqual({ normal: 180, slow: 10, failing: 4, offline: 2, duplicating: 2, reordering: 2 });
    expect(assign(macs.toReversed(), mix, 7)).toEqual(assigned);
    expect(assign(macs, mix, 8)).not.toEqual(assigned);
  });

  it('is refused with an error that names the invalid entry', () => {
    expect(() => parseMix('normal=1,lazy=2')).toThrow("'lazy=2'");
    expect(() => parseMix('slow')).toThrow("'slow'");
    expect(() => parseMix('slow=-1')).toThrow("'slow=-1'");
  });
});

it('phones of chosen makers come in turn, are the same for the same seed, and none has a taken MAC', () => {
  const vendors = ['Fanvil', 'Snom', 'Htek'] as const;
  const phones = makePhones(vendors, 300, 1);
  expect(new Set(phones.map(({ mac }) => mac)).size).toBe(300);
  for (const [index, { mac, model }] of phones.entries()) {
    const { vendor, kind } = models.find(({ name }) => name === model)!;
    expect([vendor, kind]).toEqual([vendors[index % 3], 'phone']);
    expect(vendorPrefixes[vendor]).toContain(mac.slice(0, 6));
  }
  expect(makePhones(vendors, 30, 1)).toEqual(phones.slice(0, 30));
  const taken = new Set(phones.map(({ mac }) => mac));
  expect(makePhones(vendors, 300, 1, taken).filter(({ mac }) => taken.has(mac))).toEqual([]);
});
