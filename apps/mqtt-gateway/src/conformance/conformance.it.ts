import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawDevice } from '../testing/raw-device.ts';
import { Rig, hello, macOf, payloadOf, up } from '../testing/rig.ts';
import type { BadPacket } from './bytes.ts';
import { connectPackets } from './connect.packets.ts';
import { headerPackets } from './header.packets.ts';
import { messagePackets } from './message.packets.ts';

const all = [...connectPackets, ...headerPackets, ...messagePackets];
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
  answer === 'close' ? 'is closed on' : answer === 'ignored' ? 'is ignored' : 'connack' in answer ? `gets CONNACK ${answer.connack} and is closed on` : `gets SUBACK ${answer.suback.join(', ')}`;

async function judge(row: BadPacket): Promise<void> {
  const mac = macOf(next++);
  await rig.know(mac);
  const device = await rig.open();
  if (row.when === 'connected') {
    device.send(rig.connectPacket(mac)).send(up(mac, 'hello', hello, 1));
    await device.next('puback');
  }
  const before = device.packets.length;
  const stored = rig.bus.of('link.report.v1').length;
  device.send(row.bytes(mac)).send({ cmd: 'pingreq' });
  if (row.answer === 'ignored' || (typeof row.answer === 'object' && 'suback' in row.answer)) {
    await device.next('pingresp');
    const answers = device.packets.slice(before).filter((p) => p.cmd !== 'pingresp' && p.cmd !== 'publish');
    expect(answers).toMatchObject(row.answer === 'ignored' ? [] : [{ cmd: 'suback', messageId: 9, granted: row.answer.suback }]);
    expect(answers).toHaveLength(row.answer === 'ignored' ? 0 : 1);
    device.send({ cmd: 'disconnect' });
  }
  await device.ended();
  const answers = device.packets.slice(before);
  if (row.answer === 'close') expect(answers).toEqual([]);
  else if (typeof row.answer === 'object' && 'connack' in row.answer) expect(answers).toMatchObject([{ cmd: 'connack', returnCode: row.answer.connack, sessionPresent: false }]);
  expect(rig.bus.of('link.report.v1')).toHaveLength(stored);
}

describe('bad packets', () => {
  it('are at least 300, all different, and each cites its clause', () => {
    const known = new Map<string, string>();
    for (const row of all) {
      const bytes = `${row.when} ${row.bytes(healthyMac).toString('hex')}`;
      expect(`${row.name} as ${known.get(bytes) ?? 'nothing else'}`).toBe(`${row.name} as nothing else`);
      known.set(bytes, row.name);
    }
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(all.filter((row) => !/^(MQTT-\d\.\d+\.\d+(-\d+)?|MQTT 1\.5\.3, may|link)$/.test(row.clause)).map((row) => row.clause)).toEqual([]);
  });

  for (const row of all) it(`a device that sends a ${row.name} ${said(row.answer)} (${row.clause})`, () => judge(row));

  it('leave no trace: the healthy device is there and commanded, nothing else is', async () => {
    healthy.send({ cmd: 'pingreq' });
    await healthy.next('pingresp');
    const id = await rig.command(healthyMac);
    await healthy.next('publish', (p) => payloadOf(p).id === id);
    await expect.poll(() => rig.gateway.stats()).toMatchObject({ devices: 1, connections: 1, halfOpen: 0, defects: 0, invalid: 0 });
  });
});
