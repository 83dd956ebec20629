import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { addDevice, addTask, listTasks, permissionKeys, type PermissionKey } from '@carillon/contracts';
import { allRoutes, type NamedRoute } from '@carillon/contracts/routes';
import { authService } from '@carillon/auth/module';
import { deviceService } from '@carillon/device/module';
import { licenseService } from '@carillon/license/module';
import { notificationService } from '@carillon/notification/module';
import { orgService } from '@carillon/org/module';
import { provisioningService } from '@carillon/provisioning/module';
import { resourceService } from '@carillon/resource/module';
import { taskService } from '@carillon/task/module';
import type { PostgresBus } from '@carillon/messaging';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import { checkPolicies, companySession, currentSql, sharedPolicy, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  badRequests,
  devicesKnown,
  eventually,
  isolationCases,
  LinkedDevice,
  newActor,
  testBus,
  testPostgres,
  testService,
  unguarded,
  violations,
  wrongAnswer,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';

/** Generated from the contracts: what every call must refuse. A call whose service is missing here fails the count. */
const definitions = [
  authService,
  orgService,
  deviceService,
  provisioningService,
  resourceService,
  taskService,
  notificationService,
  licenseService,
] as unknown as ServiceDefinition[];
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
// The foreign task's device never answers, so its timeout must be longer than this test.
const values = {
  tokenKey: key,
  passwordPepper: key,
  mailKey: key,
  dataKey: key,
  signingKey: key,
  clientId: 'console',
  clientSecret: 'console-secret-1234',
  taskPatience: 100,
  filesFolder: mkdtempSync(join(tmpdir(), 'carillon-files-')),
};

let bus: PostgresBus;
const services = new Map<string, TestedService>();
const own = newActor();
const foreign = newActor();
const marks = ['Foreign-Mark', 'SN-Foreign-Mark'];
const ids: string[] = [foreign.companyId, foreign.orgId];

const behind = (routes: readonly NamedRoute[]) => routes.filter((r) => services.has(r.owner) && !r.route.stream);
const send = (
  named: NamedRoute,
  actor: typeof own,
  one: { method: string; url: string; body?: string | undefined; headers?: Record<string, string> },
) =>
  services.get(named.owner)!.raw(actor, {
    method: one.method,
    url: one.url,
    ...(one.body === undefined
      ? {}
      : { payload: one.body, headers: { 'content-type': 'application/json', ...one.headers } }),
  });

let places: ReturnType<typeof devicePlaces>;
beforeAll(async () => {
  bus = await testBus();
  for (const definition of definitions) services.set(definition.name, await testService(definition, bus, values));
  places = devicePlaces(bus, services.get('device')!);
  const { device } = await services.get('device')!.as(foreign)(addDevice, {
    body: {
      ...(await places(foreign)),
      mac: '0c383e000001',
      name: 'Foreign-Mark',
      model: 'X7A',
      sn: 'SN-Foreign-Mark',
    },
  });
  const link = new LinkedDevice(bus, device, foreign.companyId);
  await link.online();
  await link.hello();
  await devicesKnown(services.get('task')!.database, 1);
  const task = await eventually(() =>
    services.get('task')!.as(foreign)(addTask, {
      body: { name: 'Foreign-Mark task', action: 'reboot', target: { ids: [device.id] } },
    }),
  );
  ids.push(device.id, task.id);
  await eventually(async () => expect((await tableRows('notification')).match(/"result":"success"/g)).toHaveLength(2));
  // Wait until notification knows the reboot command, which its alarms need.
  await eventually(async () => expect(await tableRows('notification')).toMatch(/alarm_order\[\{/));
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
  await bus?.close();
});

/** The tables of each service, read once. */
const tablesOf: Record<string, string[]> = {};

/**
 * Returns every row of the foreign company in a service as text. Excludes notes of refused calls and the device counts,
 * which are written every quarter of an hour.
 */
async function tableRows(name: string): Promise<string> {
  const { database } = services.get(name)!;
  return transaction(database, companySession(foreign.companyId), async () => {
    const tables = (tablesOf[name] ??= await currentSql()
      .query<{ name: string }>(
        `
          select tablename as name
          from pg_tables
          where schemaname = 'public'
            and tablename not in (
              'migration', 'outbox', 'inbox', 'device_copy', 'link_session', 'operation_log_head', 'device_sample'
            )
          order by 1
        `,
      )
      .then(({ rows }) => rows.map((row) => row.name)));
    const { rows } = await currentSql().query<{ name: string; row: object }>(
      `
        select name, row
        from (${tables.map((t) => `select '${t}' as name, to_jsonb(x) as row from "${t}" x`).join(' union all ')}) of_all
        where row ->> 'result' is distinct from 'common.forbidden'
        order by name, row::text
      `,
    );
    const byTable = Map.groupBy(rows, (row) => row.name);
    return tables.map((t) => t + JSON.stringify((byTable.get(t) ?? []).map(({ row }) => ({ row })))).join('\n');
  });
}

const isolation = (name: string) =>
  violations({
    routes: behind(allRoutes).filter((r) => r.owner === name && r.route.permission !== 'public'),
    ids,
    marks,
    state: () => tableRows(name),
    ask: async (one) => {
      const named = allRoutes.find((r) => one.title.startsWith(`${r.name} `))!;
      const { status, body } = await send(named, own, one);
      return { status, text: JSON.stringify(body) };
    },
  });

// notification comes first, because the refusals of the other services are written into its operation log.
describe.each(['notification', 'auth', 'org', 'device', 'provisioning', 'resource', 'task', 'license'])(
  '%s',
  (name) => {
    it('gives another company nothing by any call and lets it change nothing [USER-02/company] [CHN-04]', async () => {
      const routes = behind(allRoutes).filter((r) => r.owner === name);
      expect(routes.length).toBeGreaterThan(0);
      expect(await isolation(name)).toEqual([]);
    });

    it('has the declared policies', async () => {
      const definition = definitions.find((d) => d.name === name)!;
      expect(
        await transaction(services.get(name)!.database, companySession(null), () =>
          checkPolicies(Object.keys(definition.database!.untenanted)),
        ),
      ).toEqual([]);
    });

    /** Sends the bad requests that `isDrawn` selects by title to each call of the service. */
    const answersByTheCatalogue = async (isDrawn: (title: string) => boolean): Promise<void> => {
      const wrong: string[] = [];
      let asked = 0;
      for (const named of behind(allRoutes).filter((r) => r.owner === name && r.route.permission !== 'public')) {
        for (const request of badRequests(named).filter(({ title }) => isDrawn(title))) {
          asked++;
          const answer = await services.get(name)!.raw(own, {
            method: request.method,
            url: request.url,
            headers: request.headers,
            ...(request.body === undefined ? {} : { payload: request.body as string }),
          });
          const reason = wrongAnswer(request, answer);
          if (reason) wrong.push(reason);
        }
      }
      expect(wrong).toEqual([]);
      if (name !== 'org') expect(asked).toBeGreaterThan(0);
    };

    it('answers one in 24 bad requests by the catalogue, never by a 5xx', () =>
      answersByTheCatalogue((title) => createHash('sha256').update(title).digest().readUInt16BE(0) % 24 === 0));

    it('answers every bad request by the catalogue, never by a 5xx', { tags: 'slow' }, () =>
      answersByTheCatalogue(() => true),
    );

    it("refuses unsigned calls and calls signed with another key than the API gateway's", async () => {
      const routes = behind(allRoutes).filter((r) => r.owner === name);
      expect(
        await unguarded({
          routes,
          ask: async (one, permissions) => {
            const { status, body } = await services.get(name)!.raw(permissions && { ...own, permissions }, {
              method: one.method,
              url: one.url,
              ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}),
            });
            return { status, error: body['error'] };
          },
        }),
      ).toEqual([]);
      const forged = {
        [contextHeader]: signContext(
          { ...systemContext(foreign.companyId), userId: foreign.userId, permissions: [...permissionKeys] },
          randomBytes(32),
        ),
      };
      for (const { name: call, route } of routes.filter((r) => r.route.permission !== 'public'))
        expect(
          (
            await services.get(name)!.raw(null, {
              method: route.method,
              url: route.path.replaceAll(/\{\w+\}/g, foreign.companyId),
              headers: forged,
            })
          ).status,
          call,
        ).toBe(401);
    });

    it('refuses each call to a user with every permission but that one, and changes nothing [ROLE-03]', async () => {
      const before = await tableRows(name);
      for (const named of behind(allRoutes).filter(
        (r) => r.owner === name && permissionKeys.includes(r.route.permission as PermissionKey),
      )) {
        const missing = named.route.permission as PermissionKey;
        for (const one of isolationCases(named, { ids: ids.slice(2, 3), marks: [] })) {
          const { status, body } = await send(
            named,
            { ...foreign, permissions: permissionKeys.filter((k) => k !== missing) },
            one,
          );
          expect({ call: one.title, status, error: body['error'] }).toEqual({
            call: one.title,
            status: 403,
            error: 'common.forbidden',
          });
        }
        expect(await tableRows(name)).toBe(before);
      }
    });
  },
);

it('tests every call that has a permission [ROLE-03]', () => {
  const walked = new Set(behind(allRoutes));
  expect(
    allRoutes.filter((r) => !walked.has(r) && permissionKeys.includes(r.route.permission as PermissionKey)),
  ).toEqual([]);
});

it.each(['device', 'task'])(
  'hides a device and its task from a user of another organization in every call of %s',
  async (name) => {
    const orgId = newActor().orgId;
    const elsewhere = { ...newActor(), companyId: foreign.companyId, orgId, orgIds: [orgId] };
    const found = await violations({
      routes: behind(allRoutes).filter((r) => r.owner === name && r.route.permission !== 'public'),
      ids: ids.slice(2),
      marks,
      // Rows that the caller adds are their own, and a file or task repeats what the caller sent. Only rows of the
      // device and its task count.
      state: async () =>
        (await tableRows(name))
          .split('\n')
          .filter((table) => !table.startsWith('device_export'))
          .flatMap((table) => table.split(/(?=\{"row")/))
          .filter((row) => ids.slice(2).some((id) => row.includes(id)) && !row.includes(elsewhere.userId))
          .map((row) => row.replace(/[,\]]+$/, ''))
          .join('\n'),
      ask: async (one) => {
        const { status, body } = await send(
          allRoutes.find((r) => one.title.startsWith(`${r.name} `))!,
          elsewhere,
          one,
        );
        return { status, text: JSON.stringify(body) };
      },
    });
    expect(found).toEqual([]);
  },
);

it('makes no task of an own and a foreign device', async () => {
  const { device } = await services.get('device')!.as(own)(addDevice, {
    body: { ...(await places(own)), mac: '0c383e000002', name: 'Own', model: 'X7A', sn: 'SN-Own' },
  });
  const task = services.get('task')!;
  const order = (target: string[]) =>
    task.raw(own, {
      method: addTask.method,
      url: addTask.path,
      payload: { name: 'Both', action: 'reboot', target: { ids: target } },
    });
  await eventually(async () => {
    expect((await order([device.id])).status).toBe(202);
  });
  const before = [await tableRows('task'), (await task.as(own)(listTasks, { query: {} })).total];
  for (const target of [
    [device.id, ids[2]!],
    [ids[2]!, device.id],
    [device.id, newActor().userId],
  ]) {
    const { status, body } = await order(target);
    expect([status, body['error']]).toEqual([404, expect.any(String)]);
  }
  expect([await tableRows('task'), (await task.as(own)(listTasks, { query: {} })).total]).toEqual(before);
});

it('does not pollute object prototypes', () => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as { polluted?: unknown; a?: unknown }).polluted).toBeUndefined();
});

it('fails when the organization policy of tasks is removed', async () => {
  const { database } = services.get('task')!;
  const admin = await testPostgres();
  const owner = new pg.Client({
    host: admin.host,
    port: admin.port,
    user: `${database.name}_owner`,
    password: 'owner',
    database: database.name,
  });
  await owner.connect();
  const orgId = newActor().orgId;
  const list = async () =>
    JSON.stringify(
      (
        await services.get('task')!.as({ ...newActor(), companyId: foreign.companyId, orgId, orgIds: [orgId] })(
          listTasks,
          {},
        )
      ).records,
    );
  try {
    expect(await list()).toBe('[]');
    await owner.query('alter policy organization on task using (true)');
    expect(await list()).toContain(marks[0]);
  } finally {
    await owner.query(
      `alter policy organization on task using (${sharedPolicy('task', { table: 'task_organization', column: 'task_id', owner: 'creator_id' })})`,
    );
    await owner.end();
  }
});

it.each([
  ['device', 'device'],
  ['task', 'task'],
  ['notification', 'operation_log'],
])('misses the policy of %s.%s when it is taken away', { tags: 'slow' }, async (name, table) => {
  const { database } = services.get(name)!;
  const admin = await testPostgres();
  const owner = new pg.Client({
    host: admin.host,
    port: admin.port,
    user: `${database.name}_owner`,
    password: 'owner',
    database: database.name,
  });
  await owner.connect();
  try {
    await owner.query(`alter table "${table}" disable row level security`);
    expect(await isolation(name)).not.toEqual([]);
  } finally {
    await owner.query(`alter table "${table}" enable row level security`);
    await owner.end();
  }
});
