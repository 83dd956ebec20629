import { afterEach, expect, it } from 'vitest';
import { linkReport } from '@carillon/contracts';
import { generate } from 'mqtt-packet';
import { Rig, hello, macOf, state, up } from './testing/rig.ts';

let rig: Rig;
const mac = macOf(1);
const deep = (levels: number): string =>
  `{"id":"e1","at":1,"kind":"reboot","detail":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const stored = (kind: string) =>
  rig.bus.stored.filter((r) => r.topic === linkReport.name && r.headers['type'] === kind);
afterEach(() => rig.stop());

it.each([100, 2_000, 30_000])(
  'an event of %i levels is dropped and acknowledged, also when held above the window',
  async (levels) => {
    rig = await Rig.start();
    const device = await rig.device(mac);
    const packets = Array.from({ length: 20 }, (_, i) => up(mac, 'state', { ...state, calls: i }, 10 + i));
    device.send(
      Buffer.concat(
        [...packets, up(mac, 'event', deep(levels), 40), up(mac, 'state', state, 41)].map((p) => generate(p)),
      ),
    );
    await device.next('puback', (p) => p.messageId === 41);
    expect(device.packets.filter((p) => p.cmd === 'puback').map((p) => p.messageId)).toEqual([
      1,
      ...Array.from({ length: 20 }, (_, i) => 10 + i),
      40,
      41,
    ]);
    expect(stored('event')).toEqual([]);
    expect(rig.gateway.stats()).toMatchObject({ invalid: 1, defects: 0 });
  },
);

it('an event of 20 levels is stored unchanged', async () => {
  rig = await Rig.start();
  const device = await rig.device(mac);
  device.send(up(mac, 'event', deep(20), 2));
  await device.next('puback', (p) => p.messageId === 2);
  expect(stored('event').map((r) => JSON.stringify(JSON.parse(r.value!).payload))).toEqual([deep(20)]);
});

it.each([
  ['NUL', '"lte":"a\\u0000b"', { lte: 'ab' }],
  ['half a surrogate pair', '"lte":"a\\ud800"', { lte: 'a\ufffd' }],
  [
    'NUL in a line',
    '"lines":[{"line":1,"account":"\\u0000","status":"registered"}]',
    { lines: [{ line: 1, account: '', status: 'registered' }] },
  ],
  ['more calls than a device has', '"calls":9007199254740991', { calls: 65_535 }],
])('a state with %s, which no database can store, is stored as far as possible', async (_, field, kept) => {
  rig = await Rig.start();
  const device = await rig.device(mac);
  device
    .send(up(mac, 'state', `{"at":1,${field}}`, 2))
    .send(up(mac, 'state', '{"at":1,"lte":"\\u00e9\\ud83d\\ude00"}', 3));
  await device.next('puback', (p) => p.messageId === 3);
  expect(stored('state').map((r) => JSON.parse(r.value!).payload)).toEqual([
    { at: 1, ...kept },
    { at: 1, lte: 'é😀' },
  ]);
});

it('closes a device that repeats its hello and acknowledges no welcome', async () => {
  rig = await Rig.start();
  const healthy = await rig.device(macOf(2));
  const device = await rig.device(mac);
  const one = generate(up(mac, 'hello', hello, 0, { qos: 0 }));
  for (let i = 0; i < 400 && !device.closed; i++) {
    device.send(Buffer.concat(Array.from({ length: 10 }, () => one)));
    if (i % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await device.ended();
  expect(rig.gateway.stats().frozen).toBe(1);
  healthy.send({ cmd: 'pingreq' });
  await healthy.next('pingresp');
});
