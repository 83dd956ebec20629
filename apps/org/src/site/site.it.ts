import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSite,
  deleteSite,
  editSite,
  getSite,
  listSites,
  orgSite,
  permissionKeys,
  restoreSites,
  type EventData,
  listCompanies,
  listOrganizations,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { DeletedRetention, type ServiceDefinition } from '@carillon/service';
import { eventually, filterFaults, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { orgService, republishState } from '../org.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const call = () => service.as(own);
const published: { key: string; site: EventData<typeof orgSite> | null; version: number }[] = [];
const none = { parentId: null as string | null, description: '', segments: '', autoAssign: false };
const add = (name: string, more: Partial<typeof none> = {}) => call()(addSite, { body: { ...none, name, ...more } });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { path: string; msg: string }[] }) => [e.error, ...e.fields.map((f) => f.path)],
  );

beforeAll(async () => {
  bus = await testBus('site_bus');
  service = await testService(orgService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [orgSite.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        const { data, version = 0 } = fromRecord(orgSite, r)!;
        published.push({ key: r.key, site: data, version });
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('sites are a sorted tree with segments, found by an address in them, and published [SITE-01/tree]', async () => {
  const campus = await add('Campus', { segments: '10.0.0.0/8', description: 'All of it' });
  const tower = await add('Tower', {
    parentId: campus.id,
    segments: '10.20.4.31/16, 2001:DB8::1/48,10.20.0.0/16',
    autoAssign: true,
  });
  const annex = await add('Annex', { parentId: campus.id });
  await add('Aalborg');
  const { records, total } = await call()(listSites, { query: {} });
  expect([total, records.map((s) => s.path.join('/'))]).toEqual([
    4,
    ['Aalborg', 'Campus', 'Campus/Annex', 'Campus/Tower'],
  ]);
  expect(records[3]).toMatchObject({
    id: tower.id,
    parentId: campus.id,
    segments: ['10.20.0.0/16', '2001:db8::/48'],
    autoAssign: true,
  });
  // Both sites show an overlap.
  expect(tower.overlaps).toEqual([{ segment: '10.20.0.0/16', siteId: campus.id, site: 'Campus', other: '10.0.0.0/8' }]);
  expect((await call()(getSite, { params: { id: campus.id } })).overlaps.map((o) => o.site)).toEqual(['Tower']);
  const found = async (search: string) => (await call()(listSites, { query: { search } })).records.map((s) => s.name);
  expect([
    await found('10.20.9.9'),
    await found('2001:db8::77'),
    await found('all of'),
    await found('11.0.0.1'),
    await found('%'),
  ]).toEqual([['Campus', 'Tower'], ['Tower'], ['Campus'], [], []]);
  expect((await call()(listSites, { query: { limit: 2, page: 2 } })).records.map((s) => s.name)).toEqual([
    'Annex',
    'Tower',
  ]);
  await eventually(() =>
    expect(published.findLast((m) => m.key === tower.id)?.site).toEqual({
      id: tower.id,
      companyId: own.companyId,
      parentId: campus.id,
      name: 'Tower',
      segments: ['10.20.0.0/16', '2001:db8::/48'],
      autoAssign: true,
      downloadMbit: null,
      timeZone: null,
    }),
  );
  const moved = await call()(editSite, { body: { ...none, id: tower.id, name: 'Tower 2', segments: '' } });
  expect(moved).toMatchObject({ name: 'Tower 2', path: ['Tower 2'], segments: [], overlaps: [] });
  expect(await refusal(call()(deleteSite, { query: { id: campus.id } }))).toEqual(['site.notEmpty']);
  await call()(deleteSite, { query: { id: annex.id } });
  await call()(deleteSite, { query: { id: campus.id } });
  await eventually(() =>
    expect(published.filter((m) => m.key === campus.id).map((m) => m.site?.name ?? null)).toEqual(['Campus', null]),
  );
  const before = published.length;
  await republishState(service.database);
  await eventually(() =>
    expect(
      published
        .slice(before)
        .map((m) => m.site?.name)
        .toSorted(),
    ).toEqual(['Aalborg', 'Tower 2']),
  );
});

test.each([
  ['10.0.0.0/33', '10.0.0.0/33'],
  ['10.0.0.0', '10.0.0.0'],
  ['10.0.0.0/8, elsewhere', 'elsewhere'],
  ['2001:db8::/129', '2001:db8::/129'],
  ['10.0.0/8', '10.0.0/8'],
  ['010.0.0.1/8', '010.0.0.1/8'],
  ['10.0.0.0/8; drop table site', '10.0.0.0/8; drop table site'],
  ['1.2.3.4/33', '1.2.3.4/33'],
  ['0x0a.0.0.1/8', '0x0a.0.0.1/8'],
  ['10.0.0.0/-1', '10.0.0.0/-1'],
  ['10.0.0.0/8/8', '10.0.0.0/8/8'],
  ['65 of them', '10.64.0.0/16'],
] as const)(
  'segments like %s are refused, the wrong one is named, and nothing changes [SITE-01]',
  async (given, wrong) => {
    const segments = given === '65 of them' ? Array.from({ length: 65 }, (_, i) => `10.${i}.0.0/16`).join() : given;
    const before = (await call()(listSites, { query: {} })).total;
    const answer = await service.raw(own, {
      method: 'POST',
      url: '/api/f/org/site',
      payload: { ...none, name: 'No such', segments },
      headers: { 'carillon-language': 'pt_BR' },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'site.segmentFormat', data: { fields: [{ path: 'segments', error: 'site.segmentFormat' }] } },
    });
    expect(answer.body['msg']).toContain(`“${wrong}” não é uma rede válida`);
    expect((await call()(listSites, { query: {} })).total).toBe(before);
  },
);

test('refuses cycles, taken names and segments, and users without all organizations [SITE-01/refused]', async () => {
  const top = await add('Top', { segments: '172.16.0.0/12' });
  const middle = await add('Middle', { parentId: top.id });
  const low = await add('Low', { parentId: middle.id });
  const edit = (id: string, more: object) => call()(editSite, { body: { ...none, id, name: 'Top', ...more } });
  for (const parentId of [top.id, middle.id, low.id])
    expect(await refusal(edit(top.id, { parentId }))).toEqual(['site.cycle', 'parentId']);
  // Two moves that would form a cycle together: one of them is refused.
  const [a, b] = [await add('Left'), await add('Right')];
  const both = await Promise.all([
    refusal(edit(a.id, { name: 'Left', parentId: b.id })),
    refusal(edit(b.id, { name: 'Right', parentId: a.id })),
  ]);
  expect(both.toSorted()).toEqual(['none', ['site.cycle', 'parentId']].toSorted());
  expect(await refusal(add('tOP'))).toEqual(['site.nameTaken', 'name']);
  expect(await refusal(add('Top', { parentId: low.id }))).toBe('none');
  expect(await refusal(add('Other', { segments: '172.16.9.9/12' }))).toEqual(['site.segmentTaken', 'segments']);
  expect(await refusal(add('Other', { segments: '172.16.0.0/13' }))).toBe('none');
  expect(await refusal(add('Lost', { parentId: uuidv7() }))).toEqual(['common.notFound']);
  const narrow = service.as({ ...own, orgIds: [own.orgId] });
  expect(await refusal(narrow(addSite, { body: { ...none, name: 'Mine' } }))).toEqual(['site.narrowed']);
  expect(await refusal(narrow(deleteSite, { query: { id: low.id } }))).toEqual(['site.narrowed']);
  const stranger = service.as(newActor());
  expect((await stranger(listSites, { query: {} })).total).toBe(0);
  expect(await refusal(stranger(editSite, { body: { ...none, id: top.id, name: 'Mine' } }))).toEqual([
    'common.notFound',
  ]);
  expect(await refusal(stranger(addSite, { body: { ...none, name: 'Below', parentId: top.id } }))).toEqual([
    'common.notFound',
  ]);
  expect(await refusal(stranger(addSite, { body: { ...none, name: 'Same net', segments: '172.16.0.0/12' } }))).toBe(
    'none',
  );
});

const audits: { action: string; objectId: string | null; result: string }[] = [];
const restore = (ids: string[], as = own) => service.as(as)(restoreSites, { body: { ids } });

test('its deleter can restore a site with its place and segments within five minutes [SITE-01/restore]', async () => {
  await bus.fanout({
    topics: ['audit.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) audits.push(JSON.parse(r.value!) as (typeof audits)[number]);
    },
  });
  const yard = await add('Yard', { segments: '192.168.0.0/16' });
  const hall = await add('Hall', {
    parentId: yard.id,
    description: 'The long one',
    segments: '192.168.7.0/24, 2001:db8:7::/48',
    autoAssign: true,
  });
  const names = () => published.filter((m) => m.key === hall.id).map((m) => m.site?.name ?? null);
  await call()(deleteSite, { query: { id: hall.id } });
  const narrow = { ...own, orgIds: [own.orgId] };
  expect([
    await refusal(restore([hall.id], { ...own, userId: uuidv7() })),
    await refusal(restore([hall.id], newActor())),
    await refusal(restore([hall.id], narrow)),
    await refusal(restore([uuidv7()])),
  ]).toEqual([['common.restoreOver'], ['common.restoreOver'], ['site.narrowed'], ['common.restoreOver']]);
  expect(await restore([hall.id])).toEqual({ restored: 1 });
  const { updatedAt: _, ...same } = hall;
  expect(await call()(getSite, { params: { id: hall.id } })).toMatchObject(same);
  await eventually(() => expect(names()).toEqual(['Hall', null, 'Hall']));
  // Versions rise, so that consumers can ignore events that arrive out of order.
  expect(published.filter((m) => m.key === hall.id).map((m) => m.version)).toEqual([1, 2, 3]);
  expect(published.findLast((m) => m.key === hall.id)?.site).toMatchObject({
    parentId: yard.id,
    segments: ['192.168.7.0/24', '2001:db8:7::/48'],
    autoAssign: true,
  });
  await eventually(() =>
    expect(audits.filter((e) => e.objectId === hall.id && e.result === 'success').map((e) => e.action)).toEqual([
      'site.add',
      'site.delete',
      'site.restore',
    ]),
  );
  expect(await restore([hall.id])).toEqual({ restored: 0 });

  // Both are restored at once, although the child was deleted first.
  await call()(deleteSite, { query: { id: hall.id } });
  await call()(deleteSite, { query: { id: yard.id } });
  expect(await restore([hall.id, yard.id])).toEqual({ restored: 2 });
  expect((await call()(getSite, { params: { id: hall.id } })).path).toEqual(['Yard', 'Hall']);

  // Its parent is gone for good, so it moves to the top.
  await call()(deleteSite, { query: { id: hall.id } });
  await call()(deleteSite, { query: { id: yard.id } });
  await restore([hall.id]);
  expect((await call()(getSite, { params: { id: hall.id } })).path).toEqual(['Hall']);

  // A taken name or segment refuses the restore, which works once it is free again.
  await call()(deleteSite, { query: { id: hall.id } });
  const other = await add('hALL');
  expect(await refusal(restore([hall.id]))).toEqual(['site.nameTaken', 'name']);
  await call()(editSite, { body: { ...none, id: other.id, name: 'Other hall', segments: '192.168.7.0/24' } });
  expect(await refusal(restore([hall.id]))).toEqual(['site.segmentTaken', 'segments']);
  await call()(deleteSite, { query: { id: other.id } });
  expect(await restore([hall.id])).toEqual({ restored: 1 });

  // The time for restoring is over.
  const inCompany = (sql: string) =>
    transaction(service.database, companySession(own.companyId), () => currentSql().query(sql, [hall.id]));
  await call()(deleteSite, { query: { id: hall.id } });
  await service.app.get(DeletedRetention).forget();
  expect((await inCompany('select id from deleted where id = $1')).rowCount).toBe(1);
  await inCompany(`update deleted set deleted_at = now() - interval '6 minutes' where id = $1`);
  expect(await refusal(restore([hall.id]))).toEqual(['common.restoreOver']);
  await service.app.get(DeletedRetention).forget();
  expect((await inCompany('select id from deleted where id = $1')).rowCount).toBe(0);
});

test("a site's bandwidth is published, kept by edits without it, removed by null, restored and validated", async () => {
  const { id } = await call()(addSite, { body: { ...none, name: 'Branch', downloadMbit: 20 } });
  const now = async () => (await call()(getSite, { params: { id } })).downloadMbit;
  const edit = (more: object) => call()(editSite, { body: { ...none, id, name: 'Branch', ...more } });
  expect(await now()).toBe(20);
  await edit({ description: 'By the river' });
  expect(await now()).toBe(20);
  for (const downloadMbit of [0, -1, 1.5, 100_001, '20'])
    expect(await refusal(edit({ downloadMbit })), String(downloadMbit)).toEqual(['common.invalid', 'downloadMbit']);
  expect(await now()).toBe(20);
  await call()(deleteSite, { query: { id } });
  await restore([id]);
  expect(await now()).toBe(20);
  await edit({ downloadMbit: 100_000 });
  await edit({ downloadMbit: null });
  expect(await now()).toBeNull();
  await eventually(() =>
    expect(published.filter((m) => m.key === id).map((m) => (m.site ? m.site.downloadMbit : 'gone'))).toEqual([
      20,
      20,
      'gone',
      20,
      100_000,
      null,
    ]),
  );
});

test('the time zone of a site is validated, published, kept by other edits and restored [SITE-01/zone]', async () => {
  const { id } = await call()(addSite, { body: { ...none, name: 'Lisbon', timeZone: 'Europe/Lisbon' } });
  const now = async () => (await call()(getSite, { params: { id } })).timeZone;
  const edit = (more: object) => call()(editSite, { body: { ...none, id, name: 'Lisbon', ...more } });
  await edit({ description: 'By the river' });
  expect(await now()).toBe('Europe/Lisbon');
  for (const timeZone of ['Europe/Atlantis', '+02:00', 'Lisbon'])
    expect(await refusal(edit({ timeZone })), timeZone).toEqual(['site.zoneUnknown', 'timeZone']);
  for (const timeZone of ['', 'x'.repeat(65), 1])
    expect(await refusal(edit({ timeZone })), String(timeZone)).toEqual(['common.invalid', 'timeZone']);
  expect(await now()).toBe('Europe/Lisbon');
  const listed = async (query: object) => (await call()(listSites, { query })).records.map((s) => s.name);
  expect(await listed({ timeZone: ['Europe/Lisbon'] })).toEqual(['Lisbon']);
  expect(await listed({ 'timeZone.empty': 'true' })).not.toContain('Lisbon');
  await call()(deleteSite, { query: { id } });
  await restore([id]);
  expect(await now()).toBe('Europe/Lisbon');
  await edit({ timeZone: null });
  expect(await now()).toBeNull();
  await eventually(() =>
    expect(published.filter((m) => m.key === id).map((m) => (m.site ? m.site.timeZone : 'gone'))).toEqual([
      'Europe/Lisbon',
      'Europe/Lisbon',
      'gone',
      'Europe/Lisbon',
      null,
    ]),
  );
});

/** Companies are visible to the super administrator only. */
const chief = () => service.as({ ...own, permissions: permissionKeys });
test.each([listSites, listOrganizations, listCompanies])(
  'answers every filter of every list, and is and is-not add up to all: $path',
  async (route) => {
    const { checked, faults } = await filterFaults(route, (query) => chief()(route, { query } as never) as never);
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(2);
  },
);
