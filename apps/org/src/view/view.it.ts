import { afterAll, beforeAll, expect, test } from 'vitest';
import { addView, deleteView, editView, listViews, type RouteCall } from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { orgService } from '../org.module.ts';

let bus: PostgresBus;
let service: TestedService;
const anna = newActor();
const ben = { ...anna, userId: uuidv7() };
const view: RouteCall<typeof addView>['body'] = {
  list: 'device',
  name: 'Abnormal phones',
  shared: false,
  state: { search: 'room', limit: 50, sort: '-name', filters: { state: ['abnormal'] } },
  layout: { shown: ['name', 'sn'], widths: { name: 240 } },
};
const names = async (actor: typeof anna, list = 'device') =>
  (await service.as(actor)(listViews, { query: { list } })).map((v) => [v.name, v.own]);

beforeAll(async () => {
  bus = await testBus('view_bus');
  service = await testService(orgService as unknown as ServiceDefinition, bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('a view is seen by others of the company once shared, and changed by its owner only', async () => {
  const made = await service.as(anna)(addView, { body: view });
  expect(made).toMatchObject({ ...view, own: true });
  expect([await names(anna), await names(ben), await names(anna, 'task')]).toEqual([
    [['Abnormal phones', true]],
    [],
    [],
  ]);
  await service.as(anna)(editView, {
    body: { id: made.id, name: 'Abnormal', shared: true, state: view.state, layout: {} },
  });
  const stranger = newActor();
  expect([await names(ben), await names(stranger)]).toEqual([[['Abnormal', false]], []]);
  for (const other of [ben, stranger]) {
    await expect(
      service.as(other)(editView, { body: { id: made.id, name: 'Mine', shared: true, state: view.state, layout: {} } }),
    ).rejects.toMatchObject({ error: 'common.notFound' });
    await expect(service.as(other)(deleteView, { query: { id: made.id } })).rejects.toMatchObject({
      error: 'common.notFound',
    });
  }
  // Another user may have a view with the same name, but the same user may not.
  await service.as(ben)(addView, { body: { ...view, name: 'ABNORMAL' } });
  await expect(service.as(anna)(addView, { body: { ...view, name: 'ABNORMAL' } })).rejects.toMatchObject({
    error: 'view.nameTaken',
    fields: [{ path: 'name' }],
  });
  expect(await names(ben)).toEqual([
    ['ABNORMAL', true],
    ['Abnormal', false],
  ]);
  await service.as(anna)(deleteView, { query: { id: made.id } });
  expect(await names(ben)).toEqual([['ABNORMAL', true]]);
  for (let n = 0; n < 50; n++) await service.as(anna)(addView, { body: { ...view, name: `View ${n}` } });
  await expect(service.as(anna)(addView, { body: { ...view, name: 'One more' } })).rejects.toMatchObject({
    error: 'view.tooMany',
  });
});
