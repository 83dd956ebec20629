import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addDeviceGroup,
  addDeviceImport,
  addEmailNotice,
  addSipServer,
  addSite,
  addSupportAccess,
  addTask,
  addUser,
  cancelTask,
  changePassword,
  createClient,
  deleteDeviceGroup,
  disableUsers,
  editLdapServer,
  editMailServer,
  endSupportAccess,
  enterChannel,
  getChannelAccess,
  getSupportAccess,
  getUserInfo,
  leaveChannel,
  listChannels,
  listDevices,
  listOperationLog,
  listSites,
  listSupportAccess,
  listUsers,
  streamLive,
  logout,
  renewDeviceSecret,
  token,
  transferOrganization,
  unbindChannel,
  type Client,
  type RouteOutput,
} from '@carillon/contracts';
import { addActiveChannel, eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

type Answer = RouteOutput<typeof token>;

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.start({ name: 'visit', devices: 0 });
});
afterAll(() => platform?.close());

/** A person with the newest token of their session. */
class Person {
  answer!: Answer;
  readonly call: Client;
  constructor(
    readonly username: string,
    private readonly password: string,
  ) {
    this.call = createClient({
      baseUrl: platform.ready.url,
      headers: () => ({ 'carillon-auth': `bearer ${this.answer.access_token}` }),
    });
  }
  private async token(body: Record<string, string>): Promise<this> {
    const { id, secret } = platform.ready.client;
    const plain = createClient({
      baseUrl: platform.ready.url,
      headers: () => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` }),
    });
    this.answer = await plain(token, { query: {}, body: { scope: 'all', ...body } });
    return this;
  }
  logIn(): Promise<this> {
    const password = createHash('md5').update(this.password).digest('hex');
    return eventually(() => this.token({ grant_type: 'captcha', username: this.username, password }));
  }
  refresh(): Promise<this> {
    return this.token({ grant_type: 'refresh_token', refresh_token: this.answer.refresh_token });
  }
}

/** Adds a channel below the caller's company. Returns it with its logged-in owner. */
async function addBelow(by: Client, name: string, createSubLimit = 0): Promise<{ id: string; owner: Person }> {
  const username = `${name.toLowerCase()}.owner`;
  const { id, password } = await addActiveChannel(by, name, username, { createSubLimit });
  return { id, owner: await new Person(username, password).logIn() };
}
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
/** Makes an access end `ms` from now, in both companies' rows. Returns the time. */
async function endsIn(ms: number, id: string): Promise<number> {
  const { postgres } = JSON.parse(readFileSync(join(platform.folder, 'secrets.json'), 'utf8')) as { postgres: string };
  const client = new pg.Client({
    host: platform.socket,
    port: 5432,
    user: 'postgres',
    password: postgres,
    database: 'carillon_auth',
  });
  await client.connect();
  const until = new Date(Date.now() + ms);
  for (const table of ['support_access', 'customer_access'])
    await client.query(`update ${table} set until = $2 where id = $1`, [id, until]);
  await client.end();
  return until.getTime();
}
const knows = (by: Client, id: string) =>
  eventually(async () => expect((await by(listChannels, { query: {} })).records.map((c) => c.id)).toContain(id));

/** Opens a person's live stream. Returns promises of its start and of its end by the server. */
function watch(person: Person): { opened: Promise<void>; ended: Promise<void> } {
  const opened = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  request(
    new URL(streamLive.path, platform.ready.url),
    { headers: { 'carillon-auth': `bearer ${person.answer.access_token}` } },
    (response) => {
      opened.resolve();
      response.resume().on('end', () => ended.resolve());
    },
  ).end();
  return { opened: opened.promise, ended: ended.promise };
}

it('a parent enters a customer’s company by consent and for its time, and both log it [CHN-07]', async () => {
  const meridian = await addBelow(platform.call, 'Meridian', 5);
  const { owner: ana } = meridian;
  const alpine = await addBelow(ana.call, 'Alpine');
  const harbor = await addBelow(ana.call, 'Harbor');
  const { owner: john } = alpine;
  for (const { id } of [alpine, harbor]) await knows(ana.call, id);
  await john.call(addSite, {
    body: { name: 'Alpine lobby', parentId: null, description: '', segments: '', autoAssign: false },
  });

  // Nobody can enter without consent.
  const enter = (who: Person, id: string) => refusal(who.call(enterChannel, { params: { id } }));
  expect(await ana.call(getChannelAccess, { params: { id: alpine.id } })).toBeNull();
  expect(await enter(ana, alpine.id)).toBe('supportAccess.none');
  // A company without a parent can let nobody in.
  expect(await refusal(platform.call(addSupportAccess, { body: { level: 'view', hours: 1, reason: '' } }))).toBe(
    'supportAccess.nobodyAbove',
  );
  for (const hours of [0, 721, 1.5])
    expect(await refusal(john.call(addSupportAccess, { body: { level: 'view', hours, reason: '' } }))).toBe(
      'common.invalid',
    );

  // The customer allows two hours, for its direct parent only.
  expect(await john.call(getSupportAccess)).toEqual({ company: 'Meridian', until: null });
  const before = Date.now();
  const access = await john.call(addSupportAccess, { body: { level: 'manage', hours: 2, reason: 'Ticket 4711' } });
  expect(access).toMatchObject({ state: 'active', company: 'Meridian', createdBy: john.username, visits: 0 });
  expect(Date.parse(access.until) - before).toBeGreaterThanOrEqual(2 * 3_600_000);
  expect(Date.parse(access.until) - Date.now()).toBeLessThanOrEqual(2 * 3_600_000);
  expect(await refusal(john.call(addSupportAccess, { body: { level: 'view', hours: 1, reason: '' } }))).toBe(
    'supportAccess.alreadyOpen',
  );
  expect(await ana.call(getChannelAccess, { params: { id: alpine.id } })).toEqual({
    level: 'manage',
    until: access.until,
    reason: 'Ticket 4711',
    allowedBy: john.username,
  });
  const operator = platform.call;
  expect(await refusal(operator(enterChannel, { params: { id: alpine.id } }))).toBe('supportAccess.none');
  expect(await enter(harbor.owner, alpine.id)).toBe('supportAccess.none');
  expect(await enter(ana, harbor.id)).toBe('supportAccess.none');

  // From the next token on, the session is in the customer's company and sees what the customer sees.
  expect(await ana.call(enterChannel, { params: { id: alpine.id } })).toEqual({ until: access.until });
  await ana.refresh();
  expect(ana.answer).toMatchObject({
    companyId: alpine.id,
    orgId: john.answer.orgId,
    username: ana.username,
    visit: { customer: 'Alpine', allowedBy: john.username, until: access.until },
  });
  await eventually(async () =>
    expect((await ana.call(listSites, { query: {} })).records.map((s) => s.name)).toEqual(['Alpine lobby']),
  );
  expect(await ana.call(getUserInfo)).toMatchObject({ username: ana.username, companyName: 'Alpine', roles: [] });
  expect((await ana.call(listUsers, { query: {} })).records.map((u) => u.username)).toEqual([john.username]);

  // A visitor manages no users, sees no secret, enters no further company and changes no account.
  const refused: (() => Promise<unknown>)[] = [
    () =>
      ana.call(addUser, {
        body: {
          username: 'planted.user',
          nickname: 'Planted',
          email: null,
          roleIds: [],
          orgIds: [john.answer.orgId],
          activation: 'password',
          password: 'First-Secret-1',
        } as never,
      }),
    () => ana.call(disableUsers, { body: { ids: [john.answer.userId] } }),
    () => ana.call(addDevice, { body: { mac: '0c1100000001', name: 'x', model: 'X4U', sn: '1' } as never }),
    () => ana.call(renewDeviceSecret, { params: { id: alpine.id } }),
    // Nor can a visitor start anything that outlasts the visit.
    () => ana.call(addDeviceImport, { body: { name: 'a.xlsx', file: [] } as never }),
    () => ana.call(editMailServer, { body: { host: 'mail.example.com' } as never }),
    () => ana.call(addEmailNotice, { body: { title: 'x', emails: ['ana@example.com'] } as never }),
    () => ana.call(editLdapServer, { body: { id: alpine.id } as never }),
    () => ana.call(transferOrganization, { body: { id: alpine.id } as never }),
    () => ana.call(addSupportAccess, { body: { level: 'manage', hours: 1, reason: '' } }),
    () => ana.call(endSupportAccess, { params: { id: access.id } }),
    () =>
      ana.call(changePassword, {
        body: { password: 'x', newPassword: 'Third-Secret-3', confirmation: 'Third-Secret-3' } as never,
      }),
  ];
  for (const [i, attempt] of refused.entries()) expect(await refusal(attempt()), `${i}`).toBe('common.forbidden');

  // Both logs record the visitor's changes.
  await ana.call(addSite, {
    body: { name: 'Made by Meridian', parentId: null, description: '', segments: '', autoAssign: false },
  });
  const group = await ana.call(addDeviceGroup, { body: { name: 'Of Meridian', description: '' } });
  await ana.call(deleteDeviceGroup, { query: { id: group.id } });
  await ana.call(addSipServer, {
    body: {
      name: 'By Meridian',
      address: 'pbx.example.com',
      port: 5060,
      transport: 'udp',
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    },
  });
  const later = { schedule: { type: 'timer', begin: '2031-01-01T02:00' }, timeZone: 'Etc/UTC' } as const;
  const body = { name: 'By Meridian', action: 'reboot', params: {}, target: { filter: {} }, ...later };
  const task = await ana.call(addTask, { body });
  expect(task.creatorName).toBe(`${ana.username} (Meridian)`);
  await ana.call(cancelTask, { params: { id: task.id } });
  const done = ['deviceGroup.add', 'deviceGroup.delete', 'sipServer.add', 'task.add', 'task.cancel'];
  const seen = { accessId: access.id, company: 'Meridian', customer: 'Alpine', allowedBy: john.username };
  const entry = async (who: Client, action: string) =>
    (await who(listOperationLog, { query: { action: [action], result: ['success'] } })).records;
  await eventually(async () => {
    expect(await entry(john.call, 'site.add')).toEqual([
      expect.objectContaining({
        username: `${ana.username} (Meridian)`,
        objectName: 'Made by Meridian',
        detail: expect.objectContaining({ visit: seen }),
      }),
      expect.objectContaining({ username: john.username, objectName: 'Alpine lobby' }),
    ]);
    expect(await entry(john.call, 'supportAccess.enter')).toMatchObject([
      { username: `${ana.username} (Meridian)`, objectId: access.id },
    ]);
    for (const action of done)
      expect(await entry(john.call, action), action).toMatchObject([
        { username: `${ana.username} (Meridian)`, detail: { visit: seen } },
      ]);
    // They record refused attempts too.
    const tried = { action: ['user.add'], result: ['common.forbidden'] };
    expect((await john.call(listOperationLog, { query: tried })).records).toMatchObject([
      { username: `${ana.username} (Meridian)`, detail: { visit: seen } },
    ]);
  });
  expect((await john.call(listSupportAccess, { query: {} })).records).toMatchObject([{ id: access.id, visits: 1 }]);

  // Leaving brings the session back. The own log has the whole visit.
  const inside = ana.answer.access_token;
  await ana.call(leaveChannel);
  await eventually(async () => expect(await refusal(ana.call(listSites, { query: {} }))).toBe('supportAccess.ended'));
  await ana.refresh();
  expect(ana.answer).toMatchObject({ companyId: meridian.id, username: ana.username });
  expect(ana.answer.visit).toBeUndefined();
  expect((await ana.call(listSites, { query: {} })).records).toEqual([]);
  await eventually(async () => {
    expect(await entry(ana.call, 'site.add')).toEqual([
      expect.objectContaining({
        username: ana.username,
        objectId: null,
        objectName: 'Alpine',
        detail: { visit: seen },
      }),
    ]);
    for (const action of done)
      expect(await entry(ana.call, action), action).toMatchObject([
        { username: ana.username, objectName: 'Alpine', detail: { visit: seen } },
      ]);
    // Names of the customer's objects stay with the customer: the own log has only the action.
    expect(JSON.stringify((await ana.call(listOperationLog, { query: { limit: 200 } })).records)).not.toContain(
      'Made by Meridian',
    );
    for (const action of ['channel.enter', 'channel.leave'])
      expect(await entry(ana.call, action), action).toMatchObject([{ username: ana.username, objectName: 'Alpine' }]);
  });
  const late = createClient({ baseUrl: platform.ready.url, headers: () => ({ 'carillon-auth': `bearer ${inside}` }) });
  expect(await refusal(late(listSites, { query: {} }))).toBe('supportAccess.ended');

  // The customer ends the visit: calls and the live stream end within a second.
  await ana.call(enterChannel, { params: { id: alpine.id } });
  await ana.refresh();
  await eventually(() => ana.call(listSites, { query: {} }));
  const stream = watch(ana);
  await stream.opened;
  await john.call(endSupportAccess, { params: { id: access.id } });
  const endedAt = Date.now();
  await eventually(async () => expect(await refusal(ana.call(listSites, { query: {} }))).toBe('supportAccess.ended'));
  expect(Date.now() - endedAt).toBeLessThan(1_000);
  await stream.ended;
  await ana.refresh();
  expect(ana.answer.companyId).toBe(meridian.id);
  expect(await enter(ana, alpine.id)).toBe('supportAccess.none');
  expect((await john.call(listSupportAccess, { query: {} })).records).toMatchObject([
    { id: access.id, state: 'ended', endedBy: john.username, visits: 2 },
  ]);

  // View access cannot change anything.
  const { id: lookId } = await john.call(addSupportAccess, { body: { level: 'view', hours: 1, reason: '' } });
  await ana.call(enterChannel, { params: { id: alpine.id } });
  await ana.refresh();
  await eventually(() => ana.call(listDevices, { query: {} }));
  expect(
    await refusal(
      ana.call(addSite, {
        body: { name: 'Not this', parentId: null, description: '', segments: '', autoAssign: false },
      }),
    ),
  ).toBe('common.forbidden');
  expect((await john.call(listSites, { query: {} })).total).toBe(2);

  // The stated time runs out. The test moves the end to two seconds from now, because an hour is the shortest time.
  await ana.call(leaveChannel);
  await ana.refresh();
  const until = await endsIn(2_000, lookId);
  await ana.call(enterChannel, { params: { id: alpine.id } });
  await ana.refresh();
  await eventually(async () => expect(await refusal(ana.call(listSites, { query: {} }))).toBe('supportAccess.ended'));
  expect(Date.now()).toBeGreaterThanOrEqual(until);
  expect(Date.now() - until).toBeLessThan(1_000);
  await ana.refresh();
  expect(ana.answer.companyId).toBe(meridian.id);
  expect(await enter(ana, alpine.id)).toBe('supportAccess.none');
  expect((await john.call(listSupportAccess, { query: { state: ['expired'] } })).records.map((r) => r.id)).toEqual([
    lookId,
  ]);
  const { id: againId } = await john.call(addSupportAccess, { body: { level: 'view', hours: 1, reason: '' } });
  await ana.call(enterChannel, { params: { id: alpine.id } });
  await ana.refresh();
  await eventually(() => ana.call(listDevices, { query: {} }));

  // A logout during a visit also ends the session in the own company.
  await ana.call(logout);
  expect(await refusal(ana.call(listSites, { query: {} }))).toBe('common.tokenInvalid');
  expect(await refusal(ana.refresh())).toBe('auth.logonFailure');

  // A company that moves to another parent takes its consent with it.
  await ana.logIn();
  await ana.call(unbindChannel, { body: { id: alpine.id } });
  await eventually(async () => {
    const { records } = await john.call(listSupportAccess, { query: {} });
    expect(records.find((r) => r.id === againId)).toMatchObject({ state: 'ended', endedBy: 'system' });
  });
  expect(await enter(ana, alpine.id)).toBe('supportAccess.none');
});
