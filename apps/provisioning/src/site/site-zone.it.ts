import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  getDeviceConfig,
  getDeviceConfigAddress,
  orgSite,
  previewConfigTemplate,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type TestedService } from '@carillon/testing';
import { ask } from '../testing/phone-client.ts';
import { phonePortOf, startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;

beforeAll(async () => {
  bus = await testBus('site_zone_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('one template gives each phone the time zone of its site, or of a site above, and follows a change', async () => {
  const own = newActor();
  const { companyId } = own;
  const call = service.as(own);
  const [campus, house] = [uuidv7(), uuidv7()];
  let version = 0;
  const publishSite = (id: string, parentId: string | null, timeZone: string | null) =>
    bus.publish([
      toRecord(
        orgSite,
        id,
        { id, companyId, parentId, name: id.slice(-8), segments: [], autoAssign: false, timeZone },
        envelope('site', { companyId, version: ++version }),
      ),
    ]);
  await publishSite(campus, null, 'Europe/Lisbon');
  await publishSite(house, campus, null);
  const [inHouse, without] = await Promise.all(
    [house, null].map(async (siteId, index) => {
      const id = uuidv7();
      await publishDevice(bus, own, id, { mac: `0c383e00d20${index}`, model: 'X4U', secretMark: 'mark', siteId });
      return id;
    }),
  );
  const values = { 'time.zone': 'site', 'network.vlan': 7 };
  const named = { name: 'All', description: '', level: 'general' as const, target: null };
  const { id: templateId } = await call(addConfigTemplate, { body: { ...named, values } });
  const settingsOf = async (id: string) => {
    const config = await call(getDeviceConfig, { params: { id } });
    return Object.fromEntries(config.values.map(({ key, value }) => [key, value]));
  };
  const textOf = async () => {
    const { folder } = await call(getDeviceConfigAddress, { params: { id: inHouse! } });
    return (await ask(phonePortOf(service), `${folder}0c383e00d200.txt`)).text;
  };
  await eventually(async () => expect(await textOf()).toContain('time.zone = Europe/Lisbon\n'));
  expect(await settingsOf(inHouse!)).toEqual({ 'time.zone': 'Europe/Lisbon', 'network.vlan': 7 });
  expect(await settingsOf(without!)).toEqual({ 'network.vlan': 7 });

  await publishSite(house, campus, 'Asia/Seoul');
  await eventually(async () => expect(await textOf()).toContain('time.zone = Asia/Seoul\n'));
  const seoul = JSON.stringify({ ...values, 'time.zone': 'Asia/Seoul' });
  // The phone in the house has it already.
  expect(await call(previewConfigTemplate, { query: { id: templateId, values: seoul } })).toMatchObject({
    devices: 2,
    changed: 1,
    settings: [{ key: 'time.zone', changes: [{ before: null, after: 'Asia/Seoul', devices: 1 }] }],
  });
});
