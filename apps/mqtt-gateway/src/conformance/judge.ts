import { expect } from 'vitest';
import type { Way } from '../testing/raw-device.ts';
import { deviceIdOf, hello, up } from '../testing/rig.ts';
import type { Rig } from '../testing/rig.ts';
import type { BadPacket } from './bytes.ts';
import { connectPackets } from './connect.packets.ts';
import { headerPackets } from './header.packets.ts';
import { messagePackets } from './message.packets.ts';

export const badPackets: readonly BadPacket[] = [...connectPackets, ...headerPackets, ...messagePackets];

/** Sends a bad packet as `mac` and checks the answer, and that nothing of it was stored. */
export async function judge(rig: Rig, row: BadPacket, mac: string, way: Way & { kind?: string } = {}): Promise<void> {
  await rig.know(mac);
  const device = await rig.open(way);
  if (row.when === 'connected') {
    device.send(rig.connectPacket(mac)).send(up(mac, 'hello', hello, 1));
    await device.next('puback');
  }
  const before = device.packets.length;
  const stored = (): number =>
    rig.bus.stored.filter((r) => r.topic === 'link.report.v1' && r.key === deviceIdOf(mac)).length;
  const storedBefore = stored();
  device.send(row.bytes(mac)).send({ cmd: 'pingreq' });
  if (row.answer === 'ignored' || (typeof row.answer === 'object' && 'suback' in row.answer)) {
    await device.next('pingresp');
    const answers = device.packets.slice(before).filter((p) => p.cmd !== 'pingresp' && p.cmd !== 'publish');
    expect(answers).toMatchObject(
      row.answer === 'ignored' ? [] : [{ cmd: 'suback', messageId: 9, granted: row.answer.suback }],
    );
    expect(answers).toHaveLength(row.answer === 'ignored' ? 0 : 1);
    device.send({ cmd: 'disconnect' });
  }
  await device.ended();
  const answers = device.packets.slice(before);
  if (row.answer === 'close') expect(answers).toEqual([]);
  else if (typeof row.answer === 'object' && 'connack' in row.answer)
    expect(answers).toMatchObject([{ cmd: 'connack', returnCode: row.answer.connack, sessionPresent: false }]);
  expect(stored()).toBe(storedBefore);
}
