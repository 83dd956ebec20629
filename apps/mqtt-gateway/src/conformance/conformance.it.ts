import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDevice } from '../testing/raw-device.ts';
import { Rig, macOf, payloadOf } from '../testing/rig.ts';
import type { BadPacket } from './bytes.ts';
import { badPackets as all, judge } from './judge.ts';

const healthyMac = macOf(1);
let rig: Rig;
let healthy: RawDevice;
let next = 1_000;

beforeAll(async () => {
  rig = await Rig.start({ connectBurst: 100_000 });
  healthy = await rig.device(healthyMac);
});
afterAll(() => rig.stop());

const said = (answer: BadPacket['answer']): string =>
  answer === 'close'
    ? 'is closed on'
    : answer === 'ignored'
      ? 'is ignored'
      : 'connack' in answer
        ? `gets CONNACK ${answer.connack} and is closed on`
        : `gets SUBACK ${answer.suback.join(', ')}`;

describe('bad packets', () => {
  it('are at least 300, all different, and each cites its clause', () => {
    const known = new Map<string, string>();
    for (const row of all) {
      const bytes = `${row.when} ${row.bytes(healthyMac).toString('hex')}`;
      expect(`${row.name} as ${known.get(bytes) ?? 'nothing else'}`).toBe(`${row.name} as nothing else`);
      known.set(bytes, row.name);
    }
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(
      all
        .filter((row) => !/^(MQTT-\d\.\d+\.\d+(-\d+)?|MQTT 1\.5\.3, may|link)$/.test(row.clause))
        .map((row) => row.clause),
    ).toEqual([]);
  });

  for (const row of all)
    it(`a device that sends a ${row.name} ${said(row.answer)} (${row.clause})`, () => judge(rig, row, macOf(next++)));

  it('leave no trace: the healthy device is connected and gets commands, and nothing else remains', async () => {
    healthy.send({ cmd: 'pingreq' });
    await healthy.next('pingresp');
    const id = await rig.command(healthyMac);
    await healthy.next('publish', (p) => payloadOf(p).id === id);
    await expect
      .poll(() => rig.gateway.stats())
      .toMatchObject({ devices: 1, connections: 1, halfOpen: 0, defects: 0, invalid: 0 });
  });
});
