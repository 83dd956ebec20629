import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate } from 'selfsigned';
import {
  addSysConfig,
  CallError,
  editSysConfig,
  getSysConfig,
  getSystemInfo,
  licenseConfig,
  permissionKeys,
  type RouteCall,
} from '@carillon/contracts';
import { readPicture } from '@carillon/contracts/picture';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { mailServerPurpose, unseal, type ServiceDefinition } from '@carillon/service';
import { eventually, ico, jpg, newActor, png, testBus, testService, type TestedService } from '@carillon/testing';
import { licenseService } from '../license.module.ts';

let bus: PostgresBus;
let service: TestedService;
const mailKey = randomBytes(32);
const anyone = newActor();
const operator = newActor({ permissions: permissionKeys });
const published = new Map<string, unknown>();
type Setting = RouteCall<typeof addSysConfig>['body'];

beforeAll(async () => {
  bus = await testBus('config_bus');
  service = await testService(licenseService as unknown as ServiceDefinition, bus, { mailKey });
  await bus.fanout({
    topics: [licenseConfig.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) published.set(r.key, fromRecord(licenseConfig, r)!.data);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const save = (body: Setting) => service.as(operator)(editSysConfig, { body });
const detail = async (configKey: string, actor = operator) =>
  (await service.as(actor)(getSysConfig, { query: { configKey } })).value;
const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { error: string }[] }) => e.fields[0]?.error ?? e.error,
  );
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
/** Pads a JPG to the given size with comments. */
function padded(bytes: Buffer, size: number): Buffer {
  const comments: Buffer[] = [];
  for (let left = size - bytes.length; left > 0;) {
    // Leaves no rest that is too small for a comment.
    const length = left > 65_537 + 4 ? 65_537 : left > 65_537 ? left - 4 : left;
    comments.push(Buffer.from([0xff, 0xfe, (length - 2) >> 8, (length - 2) & 0xff]), Buffer.alloc(length - 4));
    left -= length;
  }
  return Buffer.concat([bytes.subarray(0, 2), ...comments, bytes.subarray(2)]);
}

test('names and copyright are saved by POST and PUT, readable without a login, and reset when removed', async () => {
  const nothing = {
    systemName: null,
    abbreviatedName: null,
    copyright: null,
    logo: null,
    loginImage: null,
    favicon: null,
  };
  const info = async () =>
    (await service.raw(null, { method: 'GET', url: '/api/f/mc/sysConfig/sys_info' })).body['data'];
  expect(await info()).toEqual(nothing);
  expect(
    await service.as(operator)(addSysConfig, { body: { configKey: 'systemName', value: ' Glockenspiel Manager ' } }),
  ).toEqual({ configKey: 'systemName', value: 'Glockenspiel Manager' });
  await save({ configKey: 'abbreviatedName', value: 'Glocke' });
  await save({ configKey: 'copyright', value: '© 2026 Glocke & Söhne' });
  expect(await info()).toEqual({
    ...nothing,
    systemName: 'Glockenspiel Manager',
    abbreviatedName: 'Glocke',
    copyright: '© 2026 Glocke & Söhne',
  });
  expect(await service.as(anyone)(getSystemInfo)).toEqual(await info());
  expect(await detail('abbreviatedName', anyone)).toBe('Glocke');
  await eventually(async () => expect(published.get('public')).toEqual(await info()));
  for (const configKey of ['systemName', 'abbreviatedName', 'copyright'] as const)
    await save({ configKey, value: null });
  await eventually(() => expect(published.get('public')).toEqual(nothing));
  expect(await refusal(save({ configKey: 'systemName', value: 'x'.repeat(65) }))).toBe('common.fieldTooLong');
  expect(await refusal(save({ configKey: 'nothing', value: 1 } as never))).not.toBe('none');
});

test("a picture's content must be JPG or PNG under 100 KB, or an icon under 10 KB, and sets its type", async () => {
  const kilobytes = (n: number) => n * 1024;
  for (const [key, wrong, bad] of [
    ['logo', 'config.logoWrong', [png, ico, Buffer.from('<svg/>'), padded(jpg, kilobytes(100)), jpg.subarray(0, -2)]],
    [
      'loginImage',
      'config.imageWrong',
      [ico, Buffer.from('GIF89a and more'), padded(jpg, kilobytes(100)), png.subarray(0, -8)],
    ],
    [
      'favicon',
      'config.faviconWrong',
      [png, jpg, Buffer.concat([ico, Buffer.alloc(kilobytes(10) - ico.length)]), ico.subarray(0, 40)],
    ],
  ] as const) {
    for (const bytes of bad) expect(await refusal(save({ configKey: key, value: base64(bytes) }))).toBe(wrong);
    expect(await detail(key)).toBeNull();
  }
  for (const [key, bytes, type] of [
    ['logo', padded(jpg, kilobytes(100) - 1), 'image/jpeg'],
    ['loginImage', png, 'image/png'],
    ['loginImage', jpg, 'image/jpeg'],
    ['favicon', Buffer.concat([ico, Buffer.alloc(kilobytes(10) - 1 - ico.length)]), 'image/x-icon'],
  ] as const) {
    const { value } = (await save({ configKey: key, value: base64(bytes) })) as { value: string };
    expect(value).toMatch(new RegExp(`^/api/f/mc/sysConfig/picture/${key}\\?v=\\d+$`));
    const answer = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url: value });
    expect([
      answer.statusCode,
      answer.headers['content-type'],
      answer.rawPayload.equals(readPicture(bytes)!.bytes),
    ]).toEqual([200, type, true]);
  }
  expect(await service.as(anyone)(getSystemInfo)).toMatchObject({
    logo: expect.stringContaining('logo?v=1'),
    loginImage: expect.stringContaining('loginImage?v=2'),
    favicon: expect.stringContaining('favicon?v=1'),
  });
  await save({ configKey: 'logo', value: null });
  expect((await service.raw(null, { method: 'GET', url: '/api/f/mc/sysConfig/picture/logo' })).status).toBe(404);
});

test("the mail server's password is stored encrypted, never returned and removed with its server", async () => {
  const server = {
    host: 'mail.example.com',
    port: 465,
    security: 'tls',
    user: 'carillon',
    from: 'Carillon <carillon@example.com>',
  } as const;
  const shown = { ...server, passwordSet: true };
  expect(
    await save({
      configKey: 'emailServer',
      value: { host: server.host, user: server.user, from: server.from, password: 'Very-Secret-7' },
    }),
  ).toEqual({ configKey: 'emailServer', value: shown });
  const password = () => {
    const { sealed } = published.get('mailServer') as { sealed: string | null };
    return sealed && unseal(mailKey, mailServerPurpose, sealed);
  };
  await eventually(() => expect(password()).toBe('Very-Secret-7'));
  await save({ configKey: 'emailServer', value: { ...server, host: 'MAIL.example.com', user: 'other' } });
  expect(await detail('emailServer')).toEqual({ ...shown, user: 'other' });
  await eventually(() =>
    expect([(published.get('mailServer') as { user: string }).user, password()]).toEqual(['other', 'Very-Secret-7']),
  );
  // docs/attack-cases.md, E7: a change of the host, the port or the encryption must not send the password there.
  for (const change of [{ host: 'Other.example.com' }, { port: 587 }, { security: 'none' as const }]) {
    await save({ configKey: 'emailServer', value: { ...server, password: 'Very-Secret-7' } });
    expect((await save({ configKey: 'emailServer', value: { ...server, ...change } })).value).toMatchObject({
      passwordSet: false,
    });
    await eventually(() => expect(password()).toBeNull());
  }
  for (const [host, port] of [
    ['127.0.0.1', 465],
    ['localhost', 465],
    ['postgres', 465],
    ['2130706433', 465],
    ['[::ffff:127.0.0.1]', 465],
    ['169.254.169.254', 465],
    ['mail.example.com', 22],
    ['mail.example.com', 5432],
  ] as const)
    expect(await refusal(save({ configKey: 'emailServer', value: { ...server, host, port } })), host).toBe(
      'config.targetRefused',
    );
  const rows = await transaction(service.database, companySession(null), async () =>
    JSON.stringify((await currentSql().query('select * from sys_config')).rows),
  );
  expect(rows + JSON.stringify([...published])).not.toContain('Very-Secret-7');
  expect(await refusal(detail('nothing'))).toBe('common.notFound');
  for (const [change, wrong] of [
    [{ host: 'a b' }, 'config.hostWrong'],
    [{ from: 'Carillon <a@b>\r\nBcc: c@d' }, 'config.senderWrong'],
    [{ port: 0 }, 'common.fieldTooShort'],
  ] as const)
    expect(await refusal(save({ configKey: 'emailServer', value: { ...server, ...change } }))).toBe(wrong);
  await save({ configKey: 'emailServer', value: { ...server, password: null } });
  expect(await detail('emailServer')).toMatchObject({ passwordSet: false });
  await save({ configKey: 'emailServer', value: null });
  await eventually(() => expect(published.get('mailServer')).toBeNull());
});

test('settings that no screen needs are refused without the permission for them [ROLE-03/config]', async () => {
  for (const key of ['emailServer', 'fcs', 'certificates', 'frameHosts'])
    expect(await refusal(detail(key, anyone))).toBe('common.forbidden');
});

test('FCS and its servers, certificates and hosts of frames are checked and kept', async () => {
  expect(await detail('fcs')).toEqual({ enabled: false, localConfigSync: false, servers: [] });
  const fcs = {
    enabled: true,
    localConfigSync: true,
    servers: [{ name: 'FCS 1', address: 'fcs.example.com', port: 5061, transport: 'tls', domain: 'example.com' }],
  } as const;
  expect((await save({ configKey: 'fcs', value: structuredClone(fcs) as never })).value).toEqual(fcs);
  expect(
    await refusal(
      save({ configKey: 'fcs', value: { ...fcs, servers: [{ ...fcs.servers[0], port: 70_000 }] } as never }),
    ),
  ).toBe('common.fieldTooLong');
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Glocke Root' }], {
    keySize: 2048,
    algorithm: 'sha256',
  });
  const { value } = (await save({ configKey: 'certificates', value: [cert] })) as {
    value: { subject: string; fingerprint: string }[];
  };
  expect(value).toMatchObject([
    {
      subject: 'CN=Glocke Root',
      issuer: 'CN=Glocke Root',
      validFrom: expect.stringMatching(/Z$/),
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    },
  ]);
  expect(await refusal(save({ configKey: 'certificates', value: [cert, cert] }))).toBe('config.certificateTwice');
  const past = { notBeforeDate: new Date('2020-01-01T00:00:00Z'), notAfterDate: new Date('2021-01-01T00:00:00Z') };
  const { cert: expired } = await generate([{ name: 'commonName', value: 'Old Root' }], {
    keySize: 2048,
    algorithm: 'sha256',
    ...past,
  });
  const failed = (await save({ configKey: 'certificates', value: [cert, expired] }).catch(
    (e: unknown) => e,
  )) as CallError;
  expect([failed.error, failed.message]).toEqual([
    'config.certificateExpired',
    'This certificate has expired: it was valid from 2020-01-01T00:00:00.000Z to 2021-01-01T00:00:00.000Z.',
  ]);
  for (const bad of [
    key,
    `${cert}\n${cert}`,
    'x',
    generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }) as string,
  ])
    expect(await refusal(save({ configKey: 'certificates', value: [bad] }))).toBe('config.certificateWrong');
  expect(
    (await save({ configKey: 'frameHosts', value: ['Wiki.example.com', '127.0.0.1:8443', '[::1]:9000'] })).value,
  ).toEqual(['wiki.example.com', '127.0.0.1:8443', '[::1]:9000']);
  for (const bad of ['https://wiki.example.com', '*', 'a/b', "'self'", 'a;b', 'a b'])
    expect(await refusal(save({ configKey: 'frameHosts', value: [bad] }))).toBe('config.hostWrong');
  await eventually(() => expect(published.get('frameHosts')).toHaveLength(3));
});

test('texts of terms and privacy are replaced per language', async () => {
  const value = { en_US: 'Our terms.', zh_CN: null, ko: null, pt_BR: 'Nossos termos.' };
  await save({ configKey: 'terms', value });
  expect(await detail('terms', anyone)).toEqual(value);
  expect(await detail('privacy', anyone)).toBeNull();
});

test('a picture of 20,000 by 20,000 pixels is refused, and metadata of others is removed', async () => {
  const huge = Buffer.from(png);
  huge.writeUInt32BE(20_000, 16);
  huge.writeUInt32BE(20_000, 20);
  const failed = (await save({ configKey: 'loginImage', value: base64(huge) }).catch((e: unknown) => e)) as CallError;
  expect([failed.error, failed.message]).toEqual([
    'config.pixelsMany',
    'The picture has 20000 × 20000 pixels. The maximum is 4096 × 4096.',
  ]);
  const comment = Buffer.from('GPS 51.5 N');
  const photo = Buffer.concat([
    jpg.subarray(0, 2),
    Buffer.from([0xff, 0xfe, 0, comment.length + 2]),
    comment,
    jpg.subarray(2),
  ]);
  const { value } = (await save({ configKey: 'loginImage', value: base64(photo) })) as { value: string };
  const { rawPayload } = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url: value });
  expect([rawPayload.includes('GPS'), rawPayload.equals(readPicture(jpg)!.bytes)]).toEqual([false, true]);
  await save({ configKey: 'loginImage', value: null });
});
