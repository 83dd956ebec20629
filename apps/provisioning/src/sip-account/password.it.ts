import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSipAccount,
  addSipServer,
  audit,
  getSipAccount,
  permissionKeys,
  revealSipAccount,
  type EventData,
} from '@carillon/contracts';
import { allTopics } from '@carillon/contracts/topics';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { setLogDestination } from '@carillon/observability';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { contextHeader, signContext, systemContext } from '@carillon/tenancy';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';
import { provisioningService } from '../provisioning.module.ts';

const words = { authPassword: 'Shown-Auth-77', proxyPassword: 'Shown-Proxy-77' };
const own = newActor();
const logged: string[] = [];
const published: string[] = [];
const entries: EventData<typeof audit, 'entry'>[] = [];
let bus: PostgresBus;
let service: TestedService;
let account: { id: string; name: string };

const reveal = (as: Actor, id = account.id) => service.as(as)(revealSipAccount, { params: { id } });
const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const entriesOf = (userId: string) => entries.filter((e) => e.action === revealSipAccount.audit && e.userId === userId);

beforeAll(async () => {
  setLogDestination(
    {
      write: (line: string) => {
        logged.push(line);
      },
    },
    'trace',
  );
  bus = await testBus('provisioning_password_bus');
  service = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8',
    revealsPerHour: 3,
  });
  await bus.fanout({
    topics: allTopics.map((topic) => topic.name),
    from: 'start',
    handle: ({ topic, records }) => {
      published.push(...records.map((r) => r.value ?? ''));
      if (topic === audit.name) entries.push(...records.map((r) => fromRecord(audit, r)!.data!));
    },
  });
  const server = await service.as(own)(addSipServer, {
    body: {
      ...{ name: 'PBX', address: 'pbx.example.com', port: 5060, transport: 'udp' as const, domain: '' },
      ...{ proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null },
    },
  });
  account = await service.as(own)(addSipAccount, {
    body: { name: 'Reception', number: '2001', serverId: server.id, ...words },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
  setLogDestination(undefined);
});

test('passwords are shown with the permission, and the log names account and user [ACC-02/reveal]', async () => {
  const reader = { ...own, userId: uuidv7(), permissions: ['sipAccount', 'revealSipAccount'] as const };
  expect(await reveal(reader)).toEqual({ ...words, voicemailPassword: null });
  await eventually(() =>
    expect(entriesOf(reader.userId)).toMatchObject([
      {
        objectId: account.id,
        objectName: 'Reception',
        result: 'success',
        orgIds: [own.orgId],
        detail: { passwords: ['authPassword', 'proxyPassword'] },
      },
    ]),
  );
  expect(JSON.stringify(await service.as(reader)(getSipAccount, { params: { id: account.id } }))).not.toContain(
    'Shown-',
  );
  expect([...published, ...logged].filter((text) => text.includes('Shown-'))).toEqual([]);
  expect(logged.length).toBeGreaterThan(0);
});

test('passwords stay hidden without the permission, and each refusal is in the log [ACC-02/reveal]', async () => {
  const without = {
    ...own,
    userId: uuidv7(),
    permissions: permissionKeys.filter((key) => key !== 'revealSipAccount'),
  };
  expect(await error(reveal(without))).toBe('common.forbidden');
  const program = { ...own, userId: uuidv7(), apiToken: 'Monitoring' };
  expect(await error(reveal(program))).toBe('common.forbidden');
  for (const { userId } of [without, program])
    await eventually(() =>
      expect(entriesOf(userId)).toMatchObject([{ objectId: account.id, result: 'common.forbidden' }]),
    );
  const stranger = newActor();
  const narrow = { ...own, userId: uuidv7(), orgIds: [uuidv7()] };
  expect([await error(reveal(stranger)), await error(reveal(narrow)), await error(reveal(own, uuidv7()))]).toEqual(
    Array.from({ length: 3 }, () => 'common.notFound'),
  );
  await eventually(() => expect(entriesOf(stranger.userId)).toMatchObject([{ result: 'common.notFound' }]));
});

test('a session in a customer’s company never shows a password, whatever its permissions [ACC-02/reveal]', async () => {
  const userId = uuidv7();
  const visit = {
    accessId: uuidv7(),
    userId: uuidv7(),
    username: 'visitor',
    companyId: uuidv7(),
    company: 'Meridian',
    customer: 'Alpine',
    allowedBy: 'host',
  };
  const context = {
    ...systemContext(own.companyId),
    userId,
    username: 'visitor (Meridian)',
    orgId: own.orgId,
    orgIds: '*' as const,
    permissions: [...permissionKeys],
    visit,
  };
  const { status, body } = await service.raw(null, {
    method: 'POST',
    url: `/api/f/provisioning/sipAccount/${account.id}/reveal`,
    headers: { [contextHeader]: signContext(context, service.contextKey) },
  });
  expect([status, body['error']]).toEqual([403, 'common.forbidden']);
  await eventually(() =>
    expect(entriesOf(userId)).toMatchObject([{ objectId: account.id, result: 'common.forbidden' }]),
  );
});

test('a user shows a limited number of accounts in an hour, and calls above it are in the log by name', async () => {
  const eager = { ...own, userId: uuidv7() };
  const answers: string[] = [];
  for (let i = 0; i < 5; i++) answers.push(await error(reveal(eager)));
  expect(answers).toEqual(['none', 'none', 'none', 'common.tooMany', 'common.tooMany']);
  await eventually(() =>
    expect(entriesOf(eager.userId).map((e) => [e.objectName, e.result])).toEqual([
      ...Array.from({ length: 3 }, () => ['Reception', 'success']),
      ...Array.from({ length: 2 }, () => ['Reception', 'common.tooMany']),
    ]),
  );
});
