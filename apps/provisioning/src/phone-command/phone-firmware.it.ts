import { afterAll, beforeAll, expect, test } from 'vitest';
import { resourceDownload, taskFile } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { currentSql, Database, inCompany, uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { phoneAddress, phoneWith, startPhones, type PhoneRig } from '../testing/commanded-phone.ts';

let rig: PhoneRig;

beforeAll(async () => {
  rig = await startPhones('phone_firmware_bus');
});
afterAll(() => rig?.close());

const link = 'https://files.example/f/token-1/image&1.bin';
const wanted = '3.0.1';
/** Written from what the makers document: how a phone says its version, and how its file names an image. */
const makers = {
  Fanvil: {
    ...{ model: 'X4U', mac: '0c383e000301', agent: (version: string) => `Fanvil X4U ${version}` },
    fileOf: (mac: string) => `${mac}.cfg`,
    named: '<Auto_Image_URL>https://files.example/f/token-1/image&amp;1.bin</Auto_Image_URL>',
  },
  Yealink: {
    ...{ model: 'SIP-T46U', mac: '805ec0000302', agent: (version: string) => `Yealink SIP-T46U  ${version}` },
    fileOf: (mac: string) => `${mac}.cfg`,
    named: `static.firmware.url = ${link}\n`,
  },
  Grandstream: {
    ...{ model: 'GRP2614', mac: 'c074ad000303' },
    agent: (version: string) => `Grandstream Model HW GRP2614 V1.1A SW ${version} DevId`,
    fileOf: (mac: string) => `cfg${mac}.xml`,
    named: '<P192>files.example/f/token-1</P192>',
  },
} as const;
type Maker = (typeof makers)[keyof typeof makers];

const args = { url: link, version: wanted, size: 7, sha256: 'aa', signature: 's', signedBy: 'k', whenIdle: true };

/** A phone of a maker that runs 2.0.9, listens for SIP, and is ordered to load the image of {@link wanted}. */
async function upgrading(
  { agent, named, ...phone }: Maker,
  mac: string,
  { from = phoneAddress, ...more }: { ms?: number; taskId?: string; version?: number; from?: string } = {},
) {
  const one = await phoneWith(rig, { ...phone, mac, agent: agent('2.0.9'), from });
  const before = await one.config();
  const command = await one.order('firmwareUpgrade', uuidv7(), { ...more, args });
  const isNamed = async () => (await one.load()).text.includes(named);
  return { ...one, command, before, isNamed, run: (version: string) => one.run(agent(version)) };
}

/** Publishes what the store says of a download, for a company. */
const publishDownload = (type: 'begun' | 'loaded', deviceId: string, commandId: string, companyId: string) =>
  rig.bus.publish([toRecord(resourceDownload, deviceId, { deviceId, commandId }, envelope(type, { companyId }))]);

test.each(Object.values(makers))(
  'a $model that is told of firmware is done when it is back with that version [EDGE-08/firmware]',
  async (maker) => {
    const phone = await upgrading(maker, maker.mac);
    const { id, own, command, answersTo } = phone;
    await eventually(() => expect(answersTo(command)).toEqual(['accepted phoneTelling', 'progress phoneTold']));
    const answer = await phone.load();
    expect(answer.text).toContain(maker.named);
    // What the phone is to have, and has, is the same as before.
    // The load is noted a moment after its answer.
    await eventually(async () => {
      const { version, loadedVersion } = await phone.config();
      expect([version, loadedVersion]).toEqual([phone.before.version, phone.before.version]);
    });
    await publishDownload('begun', id, command, own.companyId);
    await publishDownload('loaded', id, command, own.companyId);
    await eventually(() =>
      expect(answersTo(command).slice(2)).toEqual(['progress phoneLoading', 'downloaded phoneInstalling']),
    );
    expect(phone.backs()).toEqual([]);
    phone.run(wanted);
    const back = await phone.load();
    expect(back.text).not.toContain('token-1');
    await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'upgrade', firmware: wanted }]));
    const after = await phone.load();
    expect(after.text).not.toContain('token-1');
    expect(new Set([answer, back, after].map(({ headers }) => headers.etag)).size).toBe(3);
    // The start that it then tells is that of its upgrade.
    await phone.boot();
    await phone.load();
    expect(phone.backs()).toHaveLength(1);
    // Each further start is one of its own.
    await phone.boot();
    await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['upgrade', 'power']));
  },
);

test('a phone that is told to restart when it was found upgraded has then done that restart', async () => {
  const phone = await upgrading(makers.Yealink, '805ec0000319');
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('progress phoneTold'));
  phone.run(wanted);
  await phone.load();
  await eventually(() => expect(phone.backs()).toHaveLength(1));
  const restart = await phone.order('reboot');
  await eventually(() => expect(phone.answersTo(restart)).toEqual(['accepted phoneTelling', 'progress']));
  await phone.boot();
  await eventually(() => expect(phone.backs().map(({ boot }) => boot)).toEqual(['upgrade', 'reboot']));
});

test('the version of a Fanvil file rises when an image comes and when it goes, so the phone applies both', async () => {
  const { agent, named: setting, ...fanvil } = makers.Fanvil;
  const phone = await phoneWith(rig, { ...fanvil, mac: '0c383e000311', agent: agent('2.0.9'), from: phoneAddress });
  const version = async () => Number(/<Version>([\d.]+)</.exec((await phone.load()).text)![1]);
  const before = await version();
  await phone.order('firmwareUpgrade', uuidv7(), { args });
  await eventually(async () => expect((await phone.load()).text).toContain(setting));
  const named = await version();
  expect(named).toBeGreaterThan(before);
  phone.run(agent(wanted));
  await phone.load();
  await eventually(() => expect(phone.backs()).toHaveLength(1));
  expect(await version()).toBeGreaterThan(named);
});

test('a phone that keeps its version fails at the end of its command, and its file names no image', async () => {
  const phone = await upgrading(makers.Yealink, '805ec0000312', { ms: 13_000 });
  await eventually(async () => expect(await phone.isNamed()).toBe(true));
  // A restart with the former version alone shows nothing.
  await phone.boot();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'power' }]));
  await publishDownload('begun', phone.id, phone.command, phone.own.companyId);
  await publishDownload('loaded', phone.id, phone.command, phone.own.companyId);
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('downloaded phoneInstalling'));
  // It restarts for the image.
  await phone.boot();
  await eventually(() => expect(phone.backs()).toMatchObject([{ boot: 'power' }, { boot: 'reboot' }]));
  expect(phone.answersTo(phone.command).join()).not.toContain('fail');
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('fail phoneKept'));
  expect(await phone.isNamed()).toBe(false);
});

test('a phone that has not loaded its image at the end of its command fails with that reason', async () => {
  const phone = await upgrading(makers.Yealink, '805ec0000320', { ms: 11_000 });
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('fail phoneNotLoaded'));
});

test('a phone that looks for firmware only when it starts fails at once when nobody reaches it', async () => {
  const snom = {
    ...{ model: 'D785', fileOf: (mac: string) => `${mac}.xml`, named: '-firmware.xml</firmware_status>' },
    agent: (version: string) => `Mozilla/4.0 (compatible; snomD785-SIP ${version} 2010.12-00004-g9ba52f5`,
  };
  const phone = await upgrading(snom as unknown as Maker, '000413000321', { from: '127.0.0.46' });
  await eventually(() =>
    expect(phone.answersTo(phone.command)).toEqual(['accepted phoneTelling', 'fail phoneUnreached']),
  );
  expect(await phone.isNamed()).toBe(false);
});

/** Publishes the stop of a task of a company, at a time of the task service's clock. */
const stopTask = (taskId: string, companyId: string, version = Date.now()) => {
  const data = { taskId, noun: 'firmware', objectId: uuidv7(), stopped: true };
  return rig.bus.publish([toRecord(taskFile, taskId, data, envelope('file', { companyId, version }))]);
};
const inOwn = <T>(companyId: string, work: () => Promise<T>) =>
  inCompany(rig.service.app.get(Database), companyId, work);
const countOf = async (sql: string, values: unknown[]) => (await currentSql().query(sql, values)).rowCount;

test('a stop before its commands ends them, and spares those of a later run', async () => {
  const taskId = uuidv7();
  const { agent, named, ...yealink } = makers.Yealink;
  const phone = await phoneWith(rig, { ...yealink, mac: '805ec0000322', agent: agent('2.0.9'), from: phoneAddress });
  const { companyId } = phone.own;
  const version = Date.now();
  await stopTask(taskId, companyId, version);
  await eventually(async () =>
    expect(await inOwn(companyId, () => countOf('select 1 from ended_task where task_id = $1', [taskId]))).toBe(1),
  );
  const late = await phone.order('firmwareUpgrade', uuidv7(), { args, taskId, version: version - 1 });
  await eventually(() => expect(phone.answersTo(late)).toEqual(['fail phoneStopped']));
  expect((await phone.load()).text).not.toContain(named);
  const again = await phone.order('firmwareUpgrade', uuidv7(), { args, taskId, version: version + 1 });
  await eventually(() => expect(phone.answersTo(again).at(-1)).toBe('progress phoneTold'));
  expect((await phone.load()).text).toContain(named);
});

test('the commands of a stopped task end in parts, one after the other without a pause', async () => {
  const [taskId, { companyId }] = [uuidv7(), newActor()];
  await inOwn(companyId, () =>
    currentSql().query(
      `
        insert into phone_command (id, company_id, device_id, mac, owner_epoch, epoch, action, task_id, file, state,
          expires_at, ends_at, created_at)
        select gen_random_uuid(), $1, gen_random_uuid(), '805ec0000324', 1, 0, 'firmwareUpgrade', $2,
          '{"kind": "firmware", "url": "https://files.example/f/1/1.bin", "version": "3.0.1"}', 'told',
          now() + interval '1 day', now() + interval '1 day', now()
        from generate_series(1, 1100)
      `,
      [companyId, taskId],
    ),
  );
  await stopTask(taskId, companyId, Date.now() + 60_000);
  const ends = `
    select count(*)::int as ended, count(distinct ends_at)::int as parts,
      max(ends_at) - min(ends_at) < interval '2 seconds' as "isQuick"
    from phone_command
    where task_id = $1 and state = 'done' and code = 'phoneStopped'
  `;
  await eventually(async () =>
    expect((await inOwn(companyId, () => currentSql().query(ends, [taskId]))).rows).toEqual([
      { ended: 1_100, parts: 3, isQuick: true },
    ]),
  );
});

test('what the store tells of a download locks the file of the phone before its command', async () => {
  const phone = await upgrading(makers.Yealink, '805ec0000323');
  const { id, command, own } = phone;
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('progress phoneTold'));
  await inOwn(own.companyId, async () => {
    await currentSql().query('select 1 from device_config where id = $1 for update', [id]);
    const events = (type: 'begun' | 'loaded') =>
      toRecord(resourceDownload, id, { deviceId: id, commandId: command }, envelope(type, own));
    await rig.bus.publish([events('begun'), events('loaded')]);
    await eventually(async () => {
      // Otherwise the transaction keeps seeing its first statistics.
      await currentSql().query('select pg_stat_clear_snapshot()');
      expect(
        await countOf('select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))', []),
      ).toBe(1);
    });
    // A consumer that had changed the command would now wait for the file, and this one for the command.
    await currentSql().query('select 1 from phone_command where id = $1 for update nowait', [command]);
  });
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('downloaded phoneInstalling'));
});

test('a phone that is back with a third version fails at once, and its file names no image', async () => {
  const phone = await upgrading(makers.Yealink, '805ec0000313');
  await eventually(async () => expect(await phone.isNamed()).toBe(true));
  phone.run('2.9.9');
  await phone.boot();
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('fail otherVersion'));
  expect(await phone.isNamed()).toBe(false);
});

test('a stopped task leaves nothing in the file of a phone, and another company changes nothing there', async () => {
  const taskId = uuidv7();
  const phone = await upgrading(makers.Yealink, '805ec0000314', { taskId });
  const { id, own, command } = phone;
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('progress phoneTold'));
  const { companyId: foreign } = newActor();
  await stopTask(taskId, foreign);
  await publishDownload('loaded', id, command, foreign);
  await publishDownload('begun', id, command, own.companyId);
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('progress phoneLoading'));
  expect(await phone.isNamed()).toBe(true);
  await stopTask(taskId, own.companyId);
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('fail phoneStopped'));
  expect(phone.answersTo(command)).not.toContain('downloaded phoneInstalling');
  expect(await phone.isNamed()).toBe(false);
});

test('a phone whose maker has no setting for an image says so, and its file names none [EDGE-08/firmware]', async () => {
  const akuvox = { model: 'SP-R50P', agent: () => 'Akuvox SP-R50P 50.0.1', fileOf: (mac: string) => `${mac}.cfg` };
  const phone = await upgrading({ ...akuvox, named: 'token-1' } as unknown as Maker, '0c1105000315');
  await eventually(() => expect(phone.answersTo(phone.command).at(-1)).toBe('fail phoneNoSetting'));
  expect(await phone.isNamed()).toBe(false);
  await eventually(() =>
    expect(rig.known.find(({ deviceId }) => deviceId === phone.id)?.payload.capabilities).toEqual([
      'channel.http',
      'configUpdate',
    ]),
  );
});

test('a Yealink phone loads the ringtone that its file names, and is then done [EDGE-08/resource]', async () => {
  const { agent, ...yealink } = makers.Yealink;
  const phone = await phoneWith(rig, { ...yealink, mac: '805ec0000316', agent: agent('2.0.9'), from: phoneAddress });
  const files = [{ name: 'bell.wav', url: link, size: 7, sha256: 'aa' }];
  const command = await phone.order('resourceUpgrade', uuidv7(), { args: { kind: 'ringtone', name: 'Bell', files } });
  await eventually(() => expect(phone.answersTo(command).at(-1)).toBe('progress phoneTold'));
  expect((await phone.load()).text).toContain(`ringtone.url = ${link}\n`);
  await publishDownload('begun', phone.id, command, phone.own.companyId);
  await publishDownload('loaded', phone.id, command, phone.own.companyId);
  await eventually(() => expect(phone.answersTo(command).slice(2)).toEqual(['progress phoneLoading', 'success']));
  expect((await phone.load()).text).not.toContain('ringtone.url');
});

test('Snom and Poly phones find the image in a file beside their own, for a while [EDGE-08/firmware]', async () => {
  const own = [
    {
      ...{
        model: 'D785',
        mac: '000413000317',
        beside: '000413000317-firmware.xml',
        fileOf: (mac: string) => `${mac}.xml`,
      },
      agent: (version: string) => `Mozilla/4.0 (compatible; snomD785-SIP ${version} 2010.12-00004-g9ba52f5`,
      ...{ named: '-firmware.xml</firmware_status>', image: '<firmware perm="">' },
    },
    {
      ...{
        model: 'VVX 450',
        mac: '64167f000318',
        beside: '64167f000318.cfg',
        fileOf: (mac: string) => `${mac}-config.cfg`,
      },
      agent: (version: string) => `FileTransport PolycomVVX-VVX_450-UA/${version}`,
      ...{ named: 'polycomConfig', image: 'APP_FILE_PATH="' },
    },
  ];
  for (const { beside, image, mac, ...maker } of own) {
    const phone = await upgrading(maker as unknown as Maker, mac);
    await eventually(async () =>
      expect((await phone.ask(beside)).text).toContain(`${image}${link.replace('&', '&amp;')}`),
    );
    expect((await phone.load()).text).toContain(maker.named);
    phone.run(wanted);
    await phone.load();
    await eventually(() => expect(phone.backs()).toHaveLength(1));
    expect((await phone.ask(beside)).status, beside).toBe(404);
  }
});
