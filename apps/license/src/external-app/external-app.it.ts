import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addExternalApp,
  deleteExternalApp,
  editExternalApp,
  editSysConfig,
  licenseApp,
  listExternalApps,
  permissionKeys,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { licenseService } from '../license.module.ts';

let bus: PostgresBus;
let service: TestedService;
const operator = newActor({ permissions: permissionKeys });
/** The published state of each app, with its version. */
const known = new Map<string, { address: string | undefined; version: number | undefined }>();

beforeAll(async () => {
  bus = await testBus('external_app_bus');
  service = await testService(licenseService as unknown as ServiceDefinition, bus, { mailKey: randomBytes(32) });
  await bus.fanout({
    topics: [licenseApp.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, version } = fromRecord(licenseApp, record)!;
        known.set(record.key, { address: data?.address, version });
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const allow = (hosts: string[]) =>
  service.as(operator)(editSysConfig, { body: { configKey: 'frameHosts', value: hosts } });
const list = () => service.as(operator)(listExternalApps);
const wiki = { name: 'Wiki', address: 'https://wiki.example.com/a', icon: 'book', roles: null };

test('adding, changing and deleting an external app publishes it once with the next version [SYS-10/told]', async () => {
  await allow(['wiki.example.com']);
  const added = await service.as(operator)(addExternalApp, { body: wiki });
  expect(added).toMatchObject({ ...wiki, allowed: true });
  const roles = ['01930000-0000-7000-8000-000000000001'];
  const chart = await service.as(operator)(addExternalApp, { body: { ...wiki, name: 'chart', roles } });
  expect(await list()).toEqual([chart, added]);
  const edited = await service.as(operator)(editExternalApp, {
    body: { ...wiki, id: added.id, address: 'https://wiki.example.com/b', roles },
  });
  expect(edited).toMatchObject({ id: added.id, address: 'https://wiki.example.com/b', roles });
  expect(edited.updatedAt >= added.updatedAt).toBe(true);
  expect(await list()).toContainEqual(edited);
  await eventually(() => expect(known.get(added.id)).toEqual({ address: 'https://wiki.example.com/b', version: 2 }));
  await service.as(operator)(deleteExternalApp, { params: { id: added.id } });
  await eventually(() => expect(known.get(added.id)).toEqual({ address: undefined, version: 3 }));
  await service.as(operator)(deleteExternalApp, { params: { id: chart.id } });
  expect(await list()).toEqual([]);
  await expect(service.as(operator)(deleteExternalApp, { params: { id: chart.id } })).rejects.toMatchObject({
    error: 'common.notFound',
  });
});

test('refuses an app on a host that is not allowed, and hides it with its host [SYS-10/hosts]', async () => {
  await allow(['wiki.example.com']);
  const app = await service.as(operator)(addExternalApp, { body: wiki });
  await expect(
    service.as(operator)(editExternalApp, { body: { ...wiki, id: app.id, address: 'https://else.example.com' } }),
  ).rejects.toMatchObject({ fields: [{ path: 'address', error: 'config.appHostNotAllowed' }] });
  expect(await list()).toEqual([app]);
  await allow([]);
  expect(await list()).toEqual([{ ...app, allowed: false }]);
  await eventually(() => expect(known.get(app.id)).toEqual({ address: undefined, version: 2 }));
  await allow(['wiki.example.com']);
  expect(await list()).toEqual([app]);
  await eventually(() => expect(known.get(app.id)).toEqual({ address: wiki.address, version: 3 }));
});
