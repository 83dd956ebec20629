import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOrganizationNames, orgCompany, orgOrganization } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { checkPolicies, companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  newActor,
  testBus,
  testService,
  unguarded,
  violations,
  type TestedService,
} from '@carillon/testing';
import { orgService, republishState, seedCompany } from '../org.module.ts';

const routes = allRoutes.filter((r) => r.owner === 'org');
let bus: PostgresBus;
let org: TestedService;
const own = newActor();
const foreign = newActor();
const published: { topic: string; key: string; version: number | undefined; value: unknown }[] = [];

beforeAll(async () => {
  bus = await testBus('org_bus');
  org = await testService(orgService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [orgCompany.name, orgOrganization.name],
    from: 'start',
    handle: ({ records }) => {
      published.push(
        ...records.map((r) => ({
          topic: r.topic,
          key: r.key,
          version: fromRecord(r.topic === orgCompany.name ? orgCompany : orgOrganization, r)!.version,
          value: JSON.parse(r.value!),
        })),
      );
    },
  });
  for (const [actor, name] of [
    [own, 'Bells'],
    [foreign, 'Other-Company-Mark'],
  ] as const) {
    expect(
      await seedCompany(org.database, {
        companyId: actor.companyId,
        orgId: actor.orgId,
        name,
        organizationName: `${name} head office`,
      }),
    ).toBe(true);
  }
});
afterAll(async () => {
  await org?.close();
  await bus?.close();
});

test('a company is seeded once and published with its organization', async () => {
  expect(
    await seedCompany(org.database, {
      companyId: own.companyId,
      orgId: own.orgId,
      name: 'Again',
      organizationName: 'Again',
    }),
  ).toBe(false);
  await eventually(() => {
    expect(published).toHaveLength(4);
  });
  expect(published.find((t) => t.key === own.companyId)).toMatchObject({
    topic: 'org.company.v1',
    version: 1,
    value: { id: own.companyId, name: 'Bells', path: `/${own.companyId}/`, status: 'normal' },
  });
  expect(published.find((t) => t.key === own.orgId)).toMatchObject({
    topic: 'org.organization.v1',
    value: { companyId: own.companyId, name: 'Bells head office' },
  });
  await republishState(org.database);
  await eventually(() => {
    expect(published).toHaveLength(8);
  });
});

test("the switcher offers only the user's own organizations of the company", async () => {
  expect(await org.as(own)(listOrganizationNames)).toEqual([{ id: own.orgId, name: 'Bells head office' }]);
  expect(await org.as({ ...own, orgIds: [own.orgId] })(listOrganizationNames)).toHaveLength(1);
  expect(await org.as({ ...own, orgIds: [randomUUID()] })(listOrganizationNames)).toEqual([]);
  expect(await org.as({ ...own, orgIds: [] })(listOrganizationNames)).toEqual([]);
});

test('refuses every call to a stranger and to a caller with every permission but its own [ROLE-03/org]', async () => {
  expect(
    await unguarded({
      routes,
      ask: async (one, permissions) => {
        const { status, body } = await org.raw(permissions && { ...own, permissions }, {
          method: one.method,
          url: one.url,
          ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}),
        });
        return { status, error: body['error'] };
      },
    }),
  ).toEqual([]);
});

test('another company gets nothing by any call [ROLE-03/isolation-org]', async () => {
  const state = () =>
    transaction(org.database, companySession(foreign.companyId), async () =>
      JSON.stringify((await currentSql().query('select * from company, organization')).rows),
    );
  const found = await violations({
    routes,
    ids: [foreign.companyId, foreign.orgId],
    marks: ['Other-Company-Mark'],
    state,
    ask: async (one) => {
      const { status, body } = await org.raw(own, {
        method: one.method,
        url: one.url,
        ...(one.body ? { payload: one.body } : {}),
      });
      return { status, text: JSON.stringify(body) };
    },
  });
  expect(found).toEqual([]);
  expect(await state()).toContain('Other-Company-Mark');
});

test('every table is under its policy', async () => {
  expect(
    await transaction(org.database, companySession(null), () =>
      checkPolicies(Object.keys(orgService.database!.untenanted)),
    ),
  ).toEqual([]);
});
