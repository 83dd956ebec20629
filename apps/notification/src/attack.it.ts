import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  audit,
  editSysConfig,
  licenseConfig,
  listErrors,
  listMessages,
  listOperationLog,
  mailRequest,
  permissionKeys,
  reportErrors,
  testMail,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { mailServerPurpose, requestMail, seal, type ServiceDefinition } from '@carillon/service';
import {
  eventually,
  newActor,
  startMailServer,
  testBus,
  testService,
  type MailServer,
  type TestedService,
} from '@carillon/testing';
import { notificationService } from './notification.module.ts';

/** Attacks on the mail server's test, the operation log and the error log; docs/attack-cases.md lists them. */
let bus: PostgresBus;
let service: TestedService;
let mailServer: MailServer;
const traps: Server[] = [];
let touched = 0;
const mailKey = randomBytes(32);
const operator = newActor({ permissions: permissionKeys });

beforeAll(async () => {
  bus = await testBus('attack_bus');
  mailServer = await startMailServer();
  service = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey,
    mailRetryMs: 20,
    mailTickMs: 20,
    outboundAllowed: `localhost:${mailServer.port}`,
  });
  for (const host of ['127.0.0.1', '::1']) {
    const trap = createServer((socket) => {
      touched++;
      socket.destroy();
    });
    // A machine without IPv6 has one trap less.
    await new Promise<void>((done) => {
      trap
        .once('error', () => {
          done();
        })
        .listen(traps.length > 0 ? portOf(traps[0]!) : 0, host, done);
    });
    traps.push(trap);
  }
});
afterAll(async () => {
  for (const trap of traps) trap.close();
  await service?.close();
  await mailServer?.close();
  await bus?.close();
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;
const server = { host: 'localhost', port: 465, security: 'none', user: null, from: 'a@example.com' } as const;
const ask = async (change: object, to = 'operator@example.com') => {
  const { status, body } = await service.raw(operator, {
    method: testMail.method,
    url: testMail.path,
    payload: { to, server: { ...server, ...change } },
  });
  return { status, body: JSON.stringify({ ...body, requestId: '' }) };
};

test('E4, E6: the test of a mail server reaches nothing inside, and tells nothing about it', async () => {
  const open = portOf(traps[0]!);
  const answers = new Set<string>();
  for (const host of [
    '127.0.0.1',
    '127.1',
    '0.0.0.0',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    'localhost',
    'postgres',
    'redis',
    'kafka',
    'gateway',
    'metadata.google.internal',
    'no-such-name.example.invalid',
    '93.184.215.14',
  ]) {
    for (const port of host === '127.0.0.1' ? [open, 22, 5432, 6379, 9092, 1] : [open, 6379]) {
      const { status, body } = await ask({ host, port });
      expect(status, `${host} ${port}`).toBe(400);
      answers.add(body);
    }
  }
  for (const host of [
    '127.0.0.1',
    '127.1',
    '[::1]',
    'localhost',
    '2130706433',
    '10.0.0.1',
    'no-such-name.example.invalid',
  ])
    for (const port of [25, 465, 587, 2525]) answers.add((await ask({ host, port })).body);
  // One text for all of them, or that it is not a host.
  expect([...answers].filter((a) => !a.includes('config.hostWrong'))).toHaveLength(1);
  expect([...answers][0]).toContain('config.targetRefused');
  expect(touched).toBe(0);
  const entries = (
    await service.as(operator)(listOperationLog, { query: { result: ['config.targetRefused'] } } as never)
  ).records;
  expect(entries.length).toBeGreaterThan(0);
  // An allowed host is contacted, and answers for itself.
  expect((await ask({ host: 'localhost', port: mailServer.port })).body).toContain('config.testFailed');
});

test('E4, E7: mails reach no stored server inside, and no stored password goes to another server', async () => {
  const company = newActor();
  const stored = {
    host: 'localhost',
    port: mailServer.port,
    security: 'tls',
    user: 'carillon',
    from: 'a@example.com',
    sealed: seal(mailKey, mailServerPurpose, 'mail-secret'),
    authorities: [mailServer.settings.smtpCa],
  } as const;
  const store = (value: object, version: number) =>
    bus.publish([
      toRecord(licenseConfig, 'mailServer', value as never, envelope('mailServer', { companyId: null, version })),
    ]);
  const kept = () =>
    transaction(
      service.database,
      companySession(null),
      async () =>
        (await currentSql().query<{ port: number }>(`select (server ->> 'port')::int as port from mail_server`)).rows[0]
          ?.port,
    );
  await store({ ...stored, port: portOf(traps[0]!), security: 'none' }, 1);
  await eventually(async () => {
    expect(await kept()).toBe(portOf(traps[0]!));
  });
  await transaction(service.database, companySession(company.companyId), () =>
    requestMail(mailKey, {
      template: 'passwordChanged',
      to: 'inside@example.com',
      language: 'en_US',
      data: { name: 'Anna' },
      companyId: company.companyId,
      about: null,
    }),
  );
  const row = async () =>
    (
      await transaction(service.database, companySession(company.companyId), () =>
        currentSql().query<{ tries: number; error: string }>('select tries, error from mail'),
      )
    ).rows[0];
  await eventually(async () => {
    expect(await row()).toMatchObject({ error: 'mail.sendFailure' });
  });
  expect(touched).toBe(0);
  // The right server receives it, and is verified by its name, not by the resolved address.
  await store(stored, 2);
  expect(await mailServer.next('inside@example.com')).toMatchObject({ secure: true, user: 'carillon' });
  const tried: string[] = [];
  const listener = createServer((socket) => {
    socket.write('220 x ESMTP\r\n');
    socket
      .on('data', (data) => {
        tried.push(data.toString());
        socket.write(data.toString().startsWith('EHLO') ? '250-x\r\n250 AUTH PLAIN LOGIN\r\n' : '535 no\r\n');
      })
      .on('error', () => undefined);
  });
  await new Promise<void>((done) => {
    listener.listen(0, '127.0.0.1', done);
  });
  const other = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey,
    mailTickMs: 1_000,
    outboundAllowed: 'localhost',
  });
  try {
    await eventually(async () => {
      expect(
        await transaction(
          other.database,
          companySession(null),
          async () => (await currentSql().query('select 1 as one from mail_server')).rowCount,
        ),
      ).toBeLessThanOrEqual(1);
    });
    await transaction(other.database, companySession(null), () =>
      currentSql().query(
        `
          insert into mail_server (key, server, version)
          values ($1, $2::jsonb, 9)
          on conflict (key) do update set server = excluded.server, version = 9
        `,
        ['mailServer', JSON.stringify(stored)],
      ),
    );
    const { status } = await other.raw(operator, {
      method: testMail.method,
      url: testMail.path,
      payload: {
        to: 'x@example.com',
        server: { ...server, host: 'localhost', port: portOf(listener), user: 'carillon' },
      },
    });
    expect(status).toBe(400);
    const said = tried.join('');
    expect(said).toContain('EHLO');
    for (const secret of [
      'mail-secret',
      Buffer.from('mail-secret').toString('base64'),
      Buffer.from('\0carillon\0mail-secret').toString('base64'),
    ])
      expect(said).not.toContain(secret);
  } finally {
    await other.close();
    listener.close();
  }
});

test('C15: a test mail goes to one address and from one', async () => {
  for (const to of [
    'a@b.example, c@d.example',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example\nRCPT TO:<c@d.example>',
    '<a@b.example>',
    Array.from({ length: 10_000 }, (_, i) => `a${i}@b.example`).join(','),
  ])
    expect((await ask({ host: 'localhost', port: mailServer.port }, to)).status, to.slice(0, 40)).toBe(400);
  for (const from of [
    'a@b.example\r\nBcc: c@d.example',
    'A <a@b.example>, B <c@d.example>',
    'A\nB <a@b.example>',
    '"A" <a@b.example>',
  ])
    expect((await ask({ host: 'localhost', port: mailServer.port, from })).body, from).toContain('config.senderWrong');
});

test('C1, C12, C16: text in an operation log entry stays whole text in one line', async () => {
  const own = newActor();
  const names = [
    `<img src=x onerror=alert(1)>`,
    `x'; drop table operation_log;--`,
    `{"level":"info"}\n{"level":"fatal","msg":"forged"}`,
    '\u001b[31mred\u001b[0m',
    `100%_\\`,
    '${7*7}{{7*7}}#{7*7}',
    '\u202egnp.exe',
  ];
  for (const objectName of names)
    await bus.publish([
      toRecord(
        audit,
        own.companyId,
        {
          action: 'device.add',
          userId: randomUUID(),
          username: 'anna',
          objectId: randomUUID(),
          objectName,
          address: '10.0.0.1',
          result: 'success',
          requestId: randomUUID(),
          detail: {},
        },
        envelope('entry', { companyId: own.companyId }),
      ),
    ]);
  const list = (query: object) => service.as(own)(listOperationLog, { query } as never);
  await eventually(async () => {
    expect((await list({})).total).toBe(names.length);
  });
  expect((await list({})).records.map((r) => r.objectName).toSorted()).toEqual(names.toSorted());
  for (const search of ['<img', `';`, '\u001b[31m', '%_', '{{7*7}}'])
    expect(
      (await list({ search })).records.map((r) => r.objectName),
      search,
    ).toEqual([names.find((n) => n.includes(search))]);
  for (const search of [`' or 1=1--`, '%%%', '___', `"`])
    expect((await list({ search })).total, search).toBeLessThan(names.length);
});

test('E11: browser errors are limited to 64 KB and a rate, and carry the name of their user', async () => {
  const own = newActor();
  const entry = {
    url: 'http://x/<script>alert(1)</script>',
    time: new Date().toISOString(),
    type: 'error',
    message: '<img src=x onerror=alert(1)>\n{"level":"fatal"}',
    stack: '',
    info: '',
  };
  const report = async (payload: object | string, headers: Record<string, string> = {}) => {
    const { status, body } = await service.raw(own, {
      method: reportErrors.method,
      url: reportErrors.path,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    });
    return [status, body['error']];
  };
  expect(await report({ logs: [entry] })).toEqual([200, undefined]);
  for (const more of [
    { username: 'admin' },
    { userId: operator.userId },
    { companyId: operator.companyId },
    { at: '2020-01-01T00:00:00Z' },
  ])
    expect((await report({ logs: [{ ...entry, ...more }] }))[0], JSON.stringify(more)).toBe(200);
  const { records } = await service.as({ ...own, permissions: ['operationLog'] })(listErrors, { query: {} });
  expect(records).toHaveLength(5);
  for (const record of records)
    expect([
      record.userId,
      record.username,
      record.message,
      Math.abs(Date.parse(record.at) - Date.now()) < 60_000,
    ]).toEqual([own.userId, 'tester', entry.message, true]);
  expect((await service.as({ ...operator, permissions: ['operationLog'] })(listErrors, { query: {} })).total).toBe(0);
  for (const wrong of [
    { logs: [{ ...entry, message: 'x'.repeat(2_049) }] },
    { logs: [{ ...entry, stack: 'x'.repeat(8_193) }] },
    { logs: [] },
    { logs: Array.from({ length: 51 }, () => entry) },
    { logs: [entry], username: 'admin' },
    { logs: 'x' },
  ])
    expect((await report(wrong))[0]).toBe(400);
  expect(reportErrors.bodyLimit).toBeLessThanOrEqual(65_536);
  const full = await Promise.all(
    Array.from({ length: 8 }, () => report({ logs: Array.from({ length: 50 }, () => ({ ...entry, message: 'x' })) })),
  );
  expect(full.filter(([status]) => status === 429).length).toBeGreaterThanOrEqual(5);
});

test('C2: a list of messages is filtered by what there is', async () => {
  for (const query of [
    'type=1;select',
    'type=1e9',
    'limit=-1',
    'size=1e9',
    'page=0',
    'from=yesterday',
    'level=x',
    'read=1',
    'tab=all',
  ])
    expect((await service.raw(operator, { method: 'GET', url: `${listMessages.path}?${query}` })).status, query).toBe(
      400,
    );
  expect(editSysConfig.permission).toBe('editConfig');
  expect(mailRequest.writers).toEqual(['auth', 'notification']);
});
