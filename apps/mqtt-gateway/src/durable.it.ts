import { linkReport } from '@carillon/contracts';
import { testBus } from '@carillon/testing';
import { expect, it } from 'vitest';
import type { RecordingBus } from './testing/recording-bus.ts';
import { Rig, macOf, up } from './testing/rig.ts';

it('acknowledged messages survive a cut-off gateway in order and without a gap [GW-02/uplink]', async () => {
  const bus = await testBus();
  const rig = await Rig.start({}, { bus: bus as unknown as RecordingBus });
  const macs = Array.from({ length: 8 }, (_, i) => macOf(i + 1));
  const devices = await Promise.all(macs.map((mac) => rig.device(mac)));
  for (let i = 2; i <= 400; i++)
    for (const [n, device] of devices.entries()) device.send(up(macs[n]!, 'state', { at: 1, calls: i }, i));
  const acked = (n: number): number => devices[n]!.packets.filter((p) => p.cmd === 'puback').length;
  await Promise.race(devices.map((device) => device.next('puback', (p) => p.messageId === 150)));
  await rig.gateway.stop();
  for (const device of devices) device.destroy();

  const stored = new Map<string, number[]>();
  const reader = await bus.fanout({
    topics: [linkReport.name],
    from: 'start',
    handle: ({ records }) =>
      records.forEach((r) => {
        const { mac, payload } = JSON.parse(r.value!) as { mac: string; payload: { calls?: number } };
        if (payload.calls !== undefined) stored.set(mac, [...(stored.get(mac) ?? []), payload.calls]);
      }),
  });
  await reader.caughtUp;
  for (const [n, mac] of macs.entries()) {
    const calls = stored.get(mac) ?? [];
    expect(calls).toEqual(calls.map((_, i) => i + 2));
    expect(calls.length).toBeGreaterThanOrEqual(acked(n) - 1);
  }
  expect(devices.some((_, n) => acked(n) >= 150)).toBe(true);
  await reader.close();
  await bus.close();
});
