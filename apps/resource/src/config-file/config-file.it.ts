import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigFile,
  audit,
  configFileState,
  deleteConfigFile,
  editConfigFile,
  getConfigFile,
  getConfigFileUploadRules,
  listConfigFiles,
  live,
  permissionKeys,
  restoreConfigFiles,
  taskFile,
  type EventData,
} from '@carillon/contracts';
import { configFileMaximum } from '@carillon/contracts/constants';
import { DeletedRetention } from '@carillon/service';
import { envelope, toRecord } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { goodFiles } from '../content/content-example.ts';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';

type Entry = EventData<typeof audit>;
let store: TestedStore;
const states: { key: string; version: number; data: EventData<typeof configFileState> | null }[] = [];
/** Everything that the service published. */
const published: string[] = [];
const entries: Entry[] = [];
let feed: { close(): Promise<void> };
beforeAll(async () => {
  store = await testStore('config_file_bus', { sweepMs: 3_600_000 });
  feed = await store.bus.fanout({
    topics: [audit.name, live.name, configFileState.name],
    from: 'end',
    handle: (batch) => {
      for (const { topic, key, value, headers } of batch.records) {
        published.push(value ?? '');
        if (topic === configFileState.name)
          states.push({
            key: key!,
            version: Number(headers['version']),
            data: value === null ? null : (JSON.parse(value) as EventData<typeof configFileState>),
          });
        if (topic === audit.name) entries.push(JSON.parse(value!) as Entry);
      }
    },
  });
});
afterAll(async () => {
  await feed?.close();
  await store?.close();
});

const secret = 'correct-horse-battery';
const text = (label: string): Buffer => Buffer.from(`account.1.label = ${label}\naccount.1.password = ${secret}\n`);
const load = (actor: Actor, id: string, headers: Record<string, string> = {}) =>
  store.service.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      method: 'GET',
      url: `/api/f/resource/configFile/${id}/file`,
      headers: { ...store.service.headersOf(actor), ...headers },
    });
const upload = (actor: Actor, bytes = text('Hall'), name = 'hall.cfg') =>
  store.upload(actor, name, bytes, 'configFile');
const add = async (
  actor: Actor,
  name: string,
  given: { models?: string[]; bytes?: Buffer; description?: string } = {},
) =>
  store.service.as(actor)(addConfigFile, {
    body: {
      name,
      description: given.description ?? '',
      models: given.models ?? [],
      upload: await upload(actor, given.bytes),
    },
  });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );

test('a configuration file is added, edited, deleted and restored; only new content is a new version', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const bytes = text('Hall');
  const added = await add(own, 'Hall phones', { models: ['X7A'], bytes, description: 'Ground floor' });
  expect(added).toMatchObject({
    name: 'Hall phones',
    description: 'Ground floor',
    models: ['X7A'],
    fileName: 'hall.cfg',
    size: bytes.length,
    version: 1,
  });
  const fields = { id: added.id, name: 'Hall', description: '', models: [] };
  expect(await call(editConfigFile, { body: fields })).toMatchObject({ name: 'Hall', models: [], version: 1 });
  const edit = async (content: Buffer) =>
    call(editConfigFile, { body: { ...fields, upload: await upload(own, content) } });
  expect((await edit(bytes)).version).toBe(1);
  const next = await edit(text('Lobby'));
  expect(next.version).toBe(2);
  expect((await load(own, added.id)).rawPayload.equals(text('Lobby'))).toBe(true);
  await call(deleteConfigFile, { query: { id: added.id } });
  expect((await call(listConfigFiles, {})).total).toBe(0);
  expect((await load(own, added.id)).statusCode).toBe(404);
  await call(restoreConfigFiles, { body: { ids: [added.id] } });
  expect(await call(getConfigFile, { params: { id: added.id } })).toEqual({ ...next, updatedAt: expect.any(String) });
  expect((await load(own, added.id)).rawPayload.equals(text('Lobby'))).toBe(true);
});

test('accepts configuration file extensions and text, and refuses files above the limit', async () => {
  const own = newActor();
  const call = store.service.as(own);
  expect(await call(getConfigFileUploadRules)).toEqual({
    extensions: ['.cfg', '.txt', '.xml', '.bin'],
    maximum: configFileMaximum,
  });
  for (const ending of ['.cfg', '.txt', '.xml', '.bin'])
    expect(await upload(own, goodFiles[ending]!, `file${ending}`), ending).toMatch(/^[0-9a-f-]{36}$/);
  const wrong = Buffer.concat([text('Hall'), Buffer.from([0])]);
  for (const ending of ['.cfg', '.txt', '.xml'])
    expect(await upload(own, wrong, `file${ending}`), ending).toBe('415 upload.contentWrong');
  for (const name of ['a.exe', 'a.png', 'a'])
    expect(await upload(own, text('a'), name), name).toBe('415 file.typeWrong');
  expect(await store.begin(own, 'a.cfg', configFileMaximum + 1, 'configFile')).toBe('413 file.tooLarge');
  expect(await store.begin(own, 'a.cfg', configFileMaximum, 'configFile')).toMatch(/^\//);
  // An upload for a configuration cannot be used by another noun, and vice versa.
  const other = await store.upload(own, 'a.cfg', text('a'), 'resourceFile');
  const body = { name: 'A', description: '', models: [], upload: other };
  expect(await refusal(call(addConfigFile, { body }))).toEqual([409, 'upload.incomplete']);
  expect((await call(listConfigFiles, {})).total).toBe(0);
});

test('its name is unique in its company ignoring case, and a refusal keeps the upload', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const first = await add(own, 'Hall');
  const body = { name: 'hALL', description: '', models: [], upload: await upload(own) };
  expect(await refusal(call(addConfigFile, { body }))).toEqual([409, 'file.taken']);
  const second = await call(addConfigFile, { body: { ...body, name: 'Lobby' } });
  const renamed = { id: second.id, name: 'HALL', description: '', models: [] };
  expect(await refusal(call(editConfigFile, { body: renamed }))).toEqual([409, 'file.taken']);
  await call(deleteConfigFile, { query: { id: first.id } });
  await add(own, 'hall');
  expect(await refusal(call(restoreConfigFiles, { body: { ids: [first.id] } }))).toEqual([409, 'file.taken']);
  const wrong = { ...body, name: 'Models', upload: await upload(own), models: ['X7A', 'X7A'] };
  expect(await refusal(call(addConfigFile, { body: wrong }))).toEqual([400, 'common.invalid']);
});

test('the list searches name, model, file and description, and sorts by its columns', async () => {
  const own = newActor();
  const call = store.service.as(own);
  await add(own, 'Beta', {
    models: ['X7A', 'i33VF'],
    description: 'Doors too',
    bytes: text('a long label of the second'),
  });
  await add(own, 'alpha', { bytes: text('x') });
  const names = async (query: object) => (await call(listConfigFiles, { query })).records.map(({ name }) => name);
  expect(await names({})).toEqual(['alpha', 'Beta']);
  expect(await names({ sort: '-size' })).toEqual(['Beta', 'alpha']);
  expect(await names({ search: 'I33' })).toEqual(['Beta']);
  expect(await names({ search: 'doors' })).toEqual(['Beta']);
  expect(await names({ search: 'hall.cfg' })).toEqual(['alpha', 'Beta']);
  expect(await names({ 'models.empty': 'true' })).toEqual(['alpha']);
  expect(await names({ 'models.contains': 'x7' })).toEqual(['Beta']);
  expect(await names({ search: secret })).toEqual([]);
});

test('its content needs its own permission, is logged on each read, and appears nowhere else', async () => {
  const own = newActor();
  const { id } = await add(own, 'Hall', { bytes: text('Loaded') });
  const answer = await load(own, id);
  expect([answer.statusCode, answer.rawPayload.equals(text('Loaded'))]).toEqual([200, true]);
  const permissions = permissionKeys.filter((key) => key !== 'downloadConfigFile');
  expect((await load({ ...own, permissions }, id)).statusCode).toBe(403);
  // A user who sees only a part of the company reads nothing that may belong to others.
  const narrow = await load({ ...own, orgIds: [own.orgId] }, id);
  expect([narrow.statusCode, narrow.json<{ error: string }>().error]).toEqual([403, 'configFile.narrowed']);
  await eventually(() =>
    expect(
      entries
        .filter((e) => e.action === 'configFile.download' && e.userId === own.userId)
        .map((e) => [e.result, e.objectName])
        .toSorted(),
    ).toEqual([
      ['common.forbidden', null],
      ['configFile.narrowed', null],
      ['success', 'Hall'],
    ]),
  );
  const call = store.service.as(own);
  const answers = JSON.stringify([await call(listConfigFiles, {}), await call(getConfigFile, { params: { id } })]);
  expect(entries.filter((e) => e.userId === own.userId).length).toBeGreaterThan(3);
  for (const said of [answers, ...published]) expect(said).not.toContain(secret);
});

test('another company sees nothing, and a user who sees some organizations can only read', async () => {
  const own = newActor();
  const { id } = await add(own, 'Hall');
  const stranger = newActor();
  const call = store.service.as(stranger);
  const body = { name: 'Mine', description: '', models: [] };
  expect((await call(listConfigFiles, {})).total).toBe(0);
  for (const refused of [
    () => call(getConfigFile, { params: { id } }),
    () => call(editConfigFile, { body: { id, ...body } }),
    () => call(deleteConfigFile, { query: { id } }),
  ])
    expect(await refusal(refused())).toEqual([404, 'common.notFound']);
  expect((await load(stranger, id)).statusCode).toBe(404);
  const theirs = await upload(own);
  expect(await refusal(call(addConfigFile, { body: { ...body, upload: theirs } }))).toEqual([409, 'upload.incomplete']);

  const narrow = { ...own, orgIds: [own.orgId] };
  const asNarrow = store.service.as(narrow);
  expect((await asNarrow(listConfigFiles, {})).total).toBe(1);
  for (const refused of [
    () => asNarrow(addConfigFile, { body: { ...body, upload: theirs } }),
    () => asNarrow(editConfigFile, { body: { id, ...body } }),
    () => asNarrow(deleteConfigFile, { query: { id } }),
    () => asNarrow(restoreConfigFiles, { body: { ids: [id] } }),
  ])
    expect(await refusal(refused())).toEqual([403, 'configFile.narrowed']);
  expect(await store.service.as(own)(getConfigFile, { params: { id } })).toMatchObject({ name: 'Hall', version: 1 });
});

test('a file of an open task can be described, but neither replaced nor deleted', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const [first, second] = [await add(own, 'First'), await add(own, 'Second', { bytes: text('Second one') })];
  const taskId = uuidv7();
  let version = 0;
  const publish = (data: EventData<typeof taskFile> | null) =>
    store.bus.publish([
      toRecord(taskFile, taskId, data, envelope('file', { companyId: own.companyId, version: ++version })),
    ]);
  await publish({ taskId, noun: 'configFile', objectId: first.id, moreIds: [second.id], stopped: false });
  const fields = { description: 'Said again', models: [] };
  const other = await upload(own, text('Other'));
  for (const { id, name } of [first, second]) {
    await eventually(async () =>
      expect(await refusal(call(editConfigFile, { body: { id, name, ...fields, upload: other } }))).toEqual([
        409,
        'configFile.inUse',
      ]),
    );
    expect(await refusal(call(deleteConfigFile, { query: { id } }))).toEqual([409, 'configFile.inUse']);
    await call(editConfigFile, { body: { id, name, ...fields } });
    expect(await call(getConfigFile, { params: { id } })).toMatchObject({ description: 'Said again', version: 1 });
  }
  await publish(null);
  await eventually(() => call(editConfigFile, { body: { id: first.id, name: 'First', ...fields, upload: other } }));
  await eventually(() => call(deleteConfigFile, { query: { id: second.id } }));
});

test('publishes it without its content, and its deletion', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const bytes = text('Told');
  const { id } = await add(own, 'Told', { models: ['X7A'], bytes });
  const all = () =>
    states.filter((s) => s.key === id).map(({ data }) => data && [data.version, data.name, data.models]);
  await call(editConfigFile, {
    body: { id, name: 'Told again', description: '', models: [], upload: await upload(own, text('x')) },
  });
  await call(deleteConfigFile, { query: { id } });
  await call(restoreConfigFiles, { body: { ids: [id] } });
  await eventually(() =>
    expect(all()).toEqual([[1, 'Told', ['X7A']], [2, 'Told again', []], null, [2, 'Told again', []]]),
  );
  // Versions rise for consumers with a copy.
  const versions = states.filter((s) => s.key === id).map((s) => s.version);
  expect(versions).toEqual([1, 2, 3, 4]);
  for (const said of published) expect(said).not.toContain(secret);
});

test('keeps its bytes while it can be restored, and deletes them once replaced or gone for good', async () => {
  const own = newActor();
  const { id } = await add(own, 'Hall', { bytes: text('First bytes') });
  const stored = async () =>
    platform(store.service.database, 'look', async () =>
      (
        await currentSql().query<{ size: number }>('select size::int from stored_file where company_id = $1', [
          own.companyId,
        ])
      ).rows.map(({ size }) => size),
    );
  const later = (hours: number) =>
    platform(store.service.database, 'let time pass', async () => {
      await currentSql().query('update stored_file set used_at = used_at - make_interval(hours => $1)', [hours]);
      await currentSql().query('update deleted set deleted_at = deleted_at - make_interval(hours => $1)', [hours]);
    });
  const sweep = () => store.service.app.get(Sweep).forget();
  const [first, second] = [text('First bytes').length, text('Second').length];
  await later(2);
  await sweep();
  expect(await stored()).toEqual([first]);
  const next = await upload(own, text('Second'));
  await store.service.as(own)(editConfigFile, {
    body: { id, name: 'Hall', description: '', models: [], upload: next },
  });
  await sweep();
  expect(await stored()).toEqual([second]);
  await store.service.as(own)(deleteConfigFile, { query: { id } });
  await sweep();
  expect(await stored()).toEqual([second]);
  await later(2);
  await store.service.app.get(DeletedRetention, { strict: false }).forget();
  await sweep();
  expect(await stored()).toEqual([]);
});
