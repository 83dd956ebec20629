import { createHash } from 'node:crypto';
import { deviceCredential, linkHandover, linkReport, linkSession } from '@carillon/contracts';
import { linkTopic } from '@carillon/contracts/link';
import { afterEach, expect, it } from 'vitest';
import { Rig, company, deviceIdOf, hello, macOf, org, payloadOf, secretOf, state, up } from './testing/rig.ts';
import { toRecord } from './uplink/envelope.ts';

let rig: Rig;
afterEach(() => rig.stop());
const mac = macOf(1);
const resetId = '01920000-0000-7000-b000-000000000001';
const newDevice = '01920000-0000-7000-9000-ffffffffffff';
const secretHash = (secret: string) => createHash('sha256').update(secret).digest('base64url');

/** A secret that the device has not been given yet: it knows the one before. */
const renewed = 'renewed';

/** Publishes that the device left its company and is to be reset. */
async function leave(): Promise<void> {
  const deviceId = deviceIdOf(mac);
  const data = {
    deviceId,
    mac,
    orgId: org,
    ownerEpoch: 1,
    secretHash: secretHash(renewed),
    previousHash: secretHash(secretOf(mac)),
    resetId,
  };
  await rig.bus.publish([
    toRecord(deviceCredential.name, 'leaving', deviceId, JSON.stringify(data), Date.now(), 1, company),
  ]);
}

async function connectAgain(boot: string) {
  const device = await rig.open();
  device.send(rig.connectPacket(mac));
  const { returnCode } = await rig.connack(device);
  if (returnCode !== 0) return { device, returnCode };
  device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: linkTopic.command(mac), qos: 1 }] });
  device.send(up(mac, 'hello', { ...hello, boot }, 1));
  await device.next('puback', (p) => p.messageId === 1);
  return { device, returnCode };
}

const stored = () =>
  rig.bus.stored.filter((r) => r.topic === linkReport.name || r.topic === linkSession.name).map((r) => r.headers.type);

it('a device that was handed over is closed, and with its old secret gets a reset and nothing else', async () => {
  rig = await Rig.start();
  const before = await rig.device(mac);
  await leave();
  await before.ended();
  // The end of its session is told after the device sees it.
  await rig.bus.until(() => stored().includes('offline'));
  const answer = stored();
  const { device } = await connectAgain('reconnect');
  const command = await device.next('publish', (p) => payloadOf(p).action === 'factoryReset');
  expect(payloadOf(command)).toMatchObject({ id: resetId, args: {} });
  await rig.command(mac, 'reboot');
  device.send(up(mac, 'state', state, 2));
  await device.next('puback', (p) => p.messageId === 2);
  expect(device.packets.filter((p) => p.cmd === 'publish').map((p) => payloadOf(p).action)).toEqual([
    'welcome',
    'factoryReset',
  ]);
  expect(stored()).toEqual(answer);
});

it('the hello after the reset is told once, and the device is refused when its credential is gone', async () => {
  rig = await Rig.start();
  await leave();
  const { device } = await connectAgain('reset');
  const answer = rig.bus.stored.filter((r) => r.topic === linkHandover.name);
  expect(answer.map((r) => [r.key, r.headers.type, r.headers.companyId])).toEqual([
    [deviceIdOf(mac), 'wiped', company],
  ]);
  await rig.forget(mac);
  await device.ended();
  expect((await connectAgain('reset')).returnCode).toBe(4);
});

it('a device with its old secret cannot displace the connected device of the new company', async () => {
  rig = await Rig.start();
  await leave();
  await rig.know(mac, { deviceId: newDevice, ownerEpoch: 2, secretHash: secretHash('new') });
  const device = await rig.open();
  device.send(rig.connectPacket(mac, { password: Buffer.from('new') }));
  expect((await rig.connack(device)).returnCode).toBe(0);
  expect((await connectAgain('reconnect')).returnCode).toBe(4);
  device.send({ cmd: 'pingreq' });
  await device.next('pingresp');
});

it('a later handover of the same device takes the place of the earlier one', async () => {
  rig = await Rig.start();
  await leave();
  const data = {
    deviceId: newDevice,
    mac,
    orgId: org,
    ownerEpoch: 2,
    secretHash: secretHash('second'),
    previousHash: null,
    resetId: '01920000-0000-7000-b000-000000000002',
  };
  await rig.bus.publish([
    toRecord(deviceCredential.name, 'leaving', newDevice, JSON.stringify(data), Date.now(), 1, company),
  ]);
  expect((await connectAgain('reconnect')).returnCode).toBe(4);
  await rig.forget(mac);
  const device = await rig.open();
  device.send(rig.connectPacket(mac, { password: Buffer.from('second') }));
  expect((await rig.connack(device)).returnCode).toBe(0);
});
