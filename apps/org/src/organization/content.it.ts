import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOrganization,
  authAccess,
  authCompany,
  deleteOrganization,
  deviceState,
  editOrganization,
  getOrganization,
  listCompanies,
  listOrganizationNames,
  listOrganizations,
  listOrganizationUsers,
  organizationHasDevice,
  orgOrganization,
  orgTransfer,
  restoreOrganizations,
  transferOrganization,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { orgService, seedCompany } from '../org.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const call = () => service.as(own);
const published: { key: string; name: string | null }[] = [];
const transfers: unknown[] = [];
let version = 1;
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

const user = (userId: string, orgIds: string[], allOrgs = false) =>
  bus.publish([
    toRecord(
      authAccess,
      userId,
      {
        userId,
        companyId: own.companyId,
        username: `user-${userId.slice(0, 4)}`,
        nickname: 'U',
        accountType: 'ordinary',
        status: 'normal',
        roleIds: [],
        permissions: [],
        orgIds,
        allOrgs,
        defaultOrgId: orgIds[0] ?? own.orgId,
        language: null,
        timezoneId: 1,
        tokensValidAfter: 0,
      },
      envelope('access', { companyId: own.companyId, version: ++version }),
    ),
  ]);
const device = (id: string, orgId: string) =>
  bus.publish([
    toRecord(
      deviceState,
      id,
      {
        id,
        orgId,
        mac: '0c383e000001',
        name: 'd',
        model: 'm',
        sn: 's',
        firmware: null,
        internalIp: null,
        configured: true,
        failedLines: 0,
        configFailed: false,
        capabilities: [],
        ownerEpoch: 1,
      },
      envelope('device', { companyId: own.companyId, version: ++version }),
    ),
  ]);
const holds = (id: string, users: number, devices: number) =>
  eventually(async () => expect(await call()(getOrganization, { params: { id } })).toMatchObject({ users, devices }));

beforeAll(async () => {
  bus = await testBus('content_bus');
  service = await testService(orgService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [orgOrganization.name, orgTransfer.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === orgOrganization.name)
          published.push({ key: r.key, name: fromRecord(orgOrganization, r)!.data?.name ?? null });
        else transfers.push(fromRecord(orgTransfer, r)!.data);
    },
  });
  await seedCompany(service.database, {
    companyId: own.companyId,
    orgId: own.orgId,
    name: 'Bells',
    organizationName: 'Head office',
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('organizations are managed with their counts; one in use or the last one cannot be deleted [ORG-01]', async () => {
  const made = await call()(addOrganization, { body: { name: 'South', description: 'All below' } });
  expect(made).toMatchObject({
    name: 'South',
    description: 'All below',
    users: 0,
    devices: 0,
    updatedAt: expect.any(String),
  });
  expect(await refusal(call()(addOrganization, { body: { name: 'sOUTH', description: '' } }))).toBe('org.nameTaken');
  expect(
    await refusal(
      service.as({ ...own, orgIds: [own.orgId] })(addOrganization, { body: { name: 'x', description: '' } }),
    ),
  ).toBe('org.narrowed');
  expect(await call()(editOrganization, { body: { id: made.id, name: 'South 2', description: '' } })).toMatchObject({
    name: 'South 2',
    description: '',
  });
  expect(
    (await call()(listOrganizations, { query: { current: 1, size: 5, sort: '-name' } })).records.map((o) => o.name),
  ).toEqual(['South 2', 'Head office']);
  expect((await call()(listOrganizations, { query: { search: 'south' } })).total).toBe(1);
  expect(await call()(listOrganizationNames)).toEqual([
    { id: own.orgId, name: 'Head office' },
    { id: made.id, name: 'South 2' },
  ]);
  const [anna, boss, phone] = [randomUUID(), randomUUID(), randomUUID()];
  await user(anna, [made.id, own.orgId]);
  await user(boss, [], true);
  await device(phone, made.id);
  await holds(made.id, 1, 1);
  await holds(own.orgId, 2, 0);
  expect(await call()(organizationHasDevice, { body: { id: made.id } })).toEqual({
    hasDevice: true,
    devices: 1,
    users: 1,
  });
  expect((await call()(listOrganizationUsers, { query: { orgId: made.id } })).map((u) => u.id)).toEqual([anna]);
  expect((await call()(listOrganizationUsers, { query: {} })).map((u) => u.id).toSorted()).toEqual(
    [anna, boss].toSorted(),
  );
  expect(await refusal(call()(deleteOrganization, { body: { id: made.id } }))).toBe('org.notEmpty');
  await user(anna, [own.orgId]);
  await holds(made.id, 0, 1);
  expect(await refusal(call()(deleteOrganization, { body: { id: made.id } }))).toBe('org.notEmpty');
  expect(await call()(transferOrganization, { body: { id: made.id, to: own.orgId } })).toEqual({
    hasDevice: true,
    devices: 1,
    users: 0,
  });
  await eventually(() => expect(transfers).toEqual([{ fromId: made.id, toId: own.orgId }]));
  expect(await refusal(call()(transferOrganization, { body: { id: made.id, to: made.id } }))).toBe('org.sameTarget');
  expect(await refusal(call()(transferOrganization, { body: { id: made.id, to: randomUUID() } }))).toBe(
    'common.notFound',
  );
  await device(phone, own.orgId);
  await holds(made.id, 0, 0);
  await call()(deleteOrganization, { body: { id: made.id } });
  expect(await refusal(call()(getOrganization, { params: { id: made.id } }))).toBe('common.notFound');
  await eventually(() =>
    expect(published.filter((o) => o.key === made.id).map((o) => o.name)).toEqual(['South', 'South 2', null]),
  );
  await user(anna, []);
  await user(boss, []);
  await bus.publish([
    { ...toRecord(deviceState, phone, null, envelope('device', { companyId: own.companyId, version: ++version })) },
  ]);
  await bus.publish(
    [anna, boss].map((id) =>
      toRecord(authAccess, id, null, envelope('access', { companyId: own.companyId, version: ++version })),
    ),
  );
  await holds(own.orgId, 0, 0);
  expect(await refusal(call()(deleteOrganization, { body: { id: own.orgId } }))).toBe('org.last');
});

test('the user who deleted an organization restores it with its id if they see it all [ORG-01/restore]', async () => {
  const made = await call()(addOrganization, { body: { name: 'West', description: 'By the sea' } });
  const restore = (as = own) => service.as(as)(restoreOrganizations, { body: { ids: [made.id] } });
  await call()(deleteOrganization, { body: { id: made.id } });
  expect([
    await refusal(restore({ ...own, userId: randomUUID() })),
    await refusal(restore(newActor())),
    await refusal(restore({ ...own, orgIds: [own.orgId] })),
  ]).toEqual(['common.restoreOver', 'common.restoreOver', 'org.narrowed']);
  const other = await call()(addOrganization, { body: { name: 'wEST', description: '' } });
  expect(await refusal(restore())).toBe('org.nameTaken');
  await call()(editOrganization, { body: { id: other.id, name: 'Other', description: '' } });
  expect(await restore()).toEqual({ restored: 1 });
  const { updatedAt: _, ...same } = made;
  expect(await call()(getOrganization, { params: { id: made.id } })).toMatchObject(same);
  await eventually(() =>
    expect(published.filter((o) => o.key === made.id).map((o) => o.name)).toEqual(['West', null, 'West']),
  );
  expect(await restore()).toEqual({ restored: 0 });
});

test("creates a company of auth's event once, and lets only the super administrator list companies", async () => {
  const [companyId, orgId] = [randomUUID(), randomUUID()];
  const record = toRecord(
    authCompany,
    companyId,
    {
      companyId,
      orgId,
      name: 'Other bells',
      organizationName: 'Tower',
      type: 'reseller',
      remarks: 'r',
      parentId: own.companyId,
    },
    envelope('made', { companyId }),
  );
  await bus.publish([record]);
  const theirs = service.as(newActor({ companyId, orgId }));
  await eventually(async () => expect(await theirs(listOrganizationNames)).toEqual([{ id: orgId, name: 'Tower' }]));
  const boss = service.as({ ...own, permissions: ['company'] });
  expect((await boss(listCompanies, { query: { search: 'OTHER' } })).records).toEqual([
    expect.objectContaining({
      id: companyId,
      name: 'Other bells',
      type: 'reseller',
      status: 'normal',
      remarks: 'r',
      users: 0,
    }),
  ]);
  expect((await boss(listCompanies, { query: {} })).total).toBe(2);
  expect(await refusal(call()(listCompanies, { query: {} }))).toBe('common.forbidden');
});

test('an organization is moved by nobody who does not see every organization of its users', async () => {
  const [from, to, other] = await Promise.all(
    ['Moved from', 'Moved to', 'Beside'].map((name) => call()(addOrganization, { body: { name, description: '' } })),
  );
  const [admin, shared] = [randomUUID(), randomUUID()];
  await user(admin, [from!.id, to!.id]);
  await user(shared, [from!.id, other!.id]);
  await holds(from!.id, 2, 0);
  const actor = { ...own, userId: admin, orgIds: [from!.id, to!.id] };
  const count = transfers.length;
  const move = (by: object = actor) =>
    refusal(service.as(by as typeof own)(transferOrganization, { body: { id: from!.id, to: to!.id } }));
  expect(await move()).toBe('user.otherOrganizations');
  await user(shared, [from!.id]);
  await eventually(async () => expect(await move()).toBe('none'));
  await user(shared, [from!.id, other!.id]);
  // Their own permissions decide, not the organizations that they have selected at the moment.
  await eventually(async () => expect(await move()).toBe('user.otherOrganizations'));
  await user(admin, [from!.id, to!.id, other!.id]);
  await eventually(async () => expect(await move()).toBe('none'));
  expect(await move(own)).toBe('none');
  await eventually(() => expect(transfers.length).toBeGreaterThan(count));
});
