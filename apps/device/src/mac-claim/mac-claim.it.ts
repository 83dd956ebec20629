import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  addChannelOrder,
  deleteDevices,
  listChannelOrders,
  listCustody,
  listDeviceLog,
  listMacDisputes,
  restoreDevices,
  settleMac,
} from '@carillon/contracts';
import { claimLockMinutes, claimTries } from '@carillon/contracts/constants';
import { currentSql, platform } from '@carillon/persistence';
import { eventually, LinkedDevice, newActor, type Actor } from '@carillon/testing';
import { label, refusal, startClaims, type Label } from './claim-test.ts';

const claims = await startClaims('mac_claim_bus');
const { bus, service, records, placeOf, chief, parent, child, stranger } = claims;
const { add, type, delivered, listed, deviceOf, noted, acrossAll } = claims;
afterEach(() => {
  vi.restoreAllMocks();
});

const steps = async (actor: Actor, mac: string) =>
  (await service.as(actor)(listCustody, { query: { mac } })).map((s) => [s.step, s.company]);
const logged = async (actor: Actor, mac: string) =>
  (await service.as(actor)(listDeviceLog, { query: { search: mac } })).records.map((e) => [e.kind, e.detail]);
const ownerOf = async (mac: string) =>
  (
    await acrossAll<{ companyId: string; proof: string }>(
      'select company_id as "companyId", proof from mac_owner where mac = $1',
      [mac],
    )
  )[0];
const wanted = async (mac: string) => (await service.as(chief)(listMacDisputes, {})).find((d) => d.mac === mac);
async function connected(by: Actor, mac: string) {
  const device = (await deviceOf(by, mac))!;
  const link = new LinkedDevice(bus, device, by.companyId);
  await link.online();
  await eventually(async () => expect((await deviceOf(by, mac))!.onlineSince).not.toBeNull());
}

describe('the label of a device', () => {
  it('claims its MAC from a company that only typed it, whose device ends [CHN-04/claim]', async () => {
    const given = await delivered();
    const { mac, claimCode } = given;
    await type(stranger, given);
    expect(await refusal(type(child, given))).toBe('device.macTaken');
    // As a person types it: other letters, spaces and an own spelling of the serial number.
    await add(child, { mac, sn: given.sn.toLowerCase(), claimCode: claimCode.toLowerCase().replaceAll('-', ' ') });
    expect(await deviceOf(child, mac)).toMatchObject({ mac });
    expect(await deviceOf(stranger, mac)).toBeUndefined();
    expect(await ownerOf(mac)).toEqual({ companyId: child.companyId, proof: 'claim' });
    expect(await steps(child, mac)).toEqual([['claimed', null]]);
    expect(await steps(stranger, mac)).toEqual([['lost', null]]);
    expect(await logged(child, mac)).toEqual([['added', { by: 'tester', step: 'claimed' }]]);
    expect((await logged(stranger, mac))[0]).toEqual(['handedOver', { step: 'lost' }]);
    expect(await refusal(type(stranger, given))).toBe('device.macTaken');
    await eventually(() => {
      expect(noted(stranger, 'channelOrder.lost').at(-1)).toMatchObject({ detail: { devices: [{ mac }] } });
      expect(noted(child, 'device.add').at(-1)).toMatchObject({ result: 'success', detail: { mac, proof: 'claim' } });
    });
  });

  it('works once, and its code is stored and logged nowhere', async () => {
    const given = await delivered();
    await add(child, given);
    expect(await refusal(add(stranger, given))).toBe('device.claimRefused');
    await eventually(() =>
      expect(noted(stranger, 'device.add').at(-1)).toMatchObject({
        result: 'device.claimRefused',
        detail: { mac: given.mac, proof: 'claim' },
      }),
    );
    const plain = given.claimCode.replaceAll('-', '').toUpperCase();
    const tables = ['delivered_device', 'mac_owner', 'device', 'import', 'import_row', 'outbox'];
    for (const table of tables) {
      const found = await acrossAll(`select 1 from ${table} x where x::text ilike any ($1::text[])`, [
        [`%${given.claimCode}%`, `%${plain}%`],
      ]);
      expect([table, found.length]).toEqual([table, 0]);
    }
    for (const { value } of records) expect(value).not.toContain(given.claimCode);
  });

  it('is refused alike for a wrong code, a wrong serial number and an unknown MAC, and changes nothing', async () => {
    const given = await delivered();
    await type(stranger, given);
    for (const wrong of [{ claimCode: 'WRONG-CODE-1' }, { sn: 'SN-other' }, { mac: label().mac }])
      expect(await refusal(add(newActor(), { ...given, ...wrong }))).toBe('device.claimRefused');
    expect(await refusal(add(child, { ...given, claimCode: '12-3' }))).toBe('device.claimCodeFormat');
    expect(await ownerOf(given.mac)).toEqual({ companyId: stranger.companyId, proof: 'typed' });
    expect(await wanted(given.mac)).toBeUndefined();
    expect(await refusal(add(child, given))).toBe('none');
  });

  it('does not take a MAC with an order or a device that was online: the super administrator decides', async () => {
    const [ordered, used] = [await delivered(), await delivered()];
    await service.as(stranger)(addChannelOrder, { body: { mac: ordered.mac, model: 'X7A', order: 'PO-1' } });
    await type(stranger, used);
    await connected(stranger, used.mac);
    for (const given of [ordered, used]) {
      expect(await refusal(add(child, given))).toBe('device.macTaken');
      expect(await ownerOf(given.mac)).toMatchObject({ companyId: stranger.companyId });
      expect(await wanted(given.mac)).toMatchObject({
        holder: { id: stranger.companyId },
        claims: [{ id: child.companyId, name: 'Child', model: 'X7A', proof: 'claim' }],
      });
    }
    await service.as(chief)(settleMac, { body: { mac: used.mac, companyId: child.companyId } });
    expect(await deviceOf(stranger, used.mac)).toBeUndefined();
    // The winner has used the code; that of the other device was not used.
    expect(await refusal(add(newActor(), used))).toBe('device.claimRefused');
    const states = (await listed({ mac: [ordered.mac, used.mac], sort: 'mac' })).records;
    expect(states.map((d) => [d.state, d.company])).toEqual([
      ['free', null],
      ['claimed', 'Child'],
    ]);
    const { records: lines } = await service.as(child)(listChannelOrders, { query: { mac: [used.mac] } });
    expect(lines).toHaveLength(1);
  });

  it('leaves a device that was online to its company while its deletion can be undone', async () => {
    const given = await delivered();
    await type(stranger, given);
    await connected(stranger, given.mac);
    const { id } = (await deviceOf(stranger, given.mac))!;
    await service.as(stranger)(deleteDevices, { query: { ids: [id] } });
    expect(await refusal(add(child, given))).toBe('device.macTaken');
    expect(await service.as(stranger)(restoreDevices, { body: { ids: [id] } })).toEqual({ restored: 1 });
    expect(await ownerOf(given.mac)).toMatchObject({ companyId: stranger.companyId });
  });

  it('does not take a MAC whose device comes online at the same moment', async () => {
    const given = await delivered();
    await type(stranger, given);
    const held = Promise.withResolvers<void>();
    const online = platform(service.database, 'a test lets a device come online', async () => {
      await currentSql().query('update device set last_online_at = now() where mac = $1', [given.mac]);
      held.resolve();
      const waiting =
        'select 1 from pg_locks l where not l.granted and pg_backend_pid() = any (pg_blocking_pids(l.pid))';
      await eventually(async () => expect((await currentSql().query(waiting)).rowCount).toBeGreaterThan(0));
    });
    await held.promise;
    const answer = refusal(add(child, given));
    await online;
    expect(await answer).toBe('device.macTaken');
    expect(await deviceOf(stranger, given.mac)).toMatchObject({ mac: given.mac });
  });

  it('yields to an order of a company above, as long as its device never connected', async () => {
    const given = await delivered();
    await add(child, given);
    await service.as(parent)(addChannelOrder, { body: { mac: given.mac, model: 'X7A', order: 'PO-2' } });
    expect(await deviceOf(child, given.mac)).toBeUndefined();
    expect(await ownerOf(given.mac)).toEqual({ companyId: parent.companyId, proof: 'order' });
  });

  it('is used by exactly one of several companies that claim at the same time', async () => {
    const given = await delivered();
    const companies = [newActor(), newActor(), newActor()];
    await Promise.all(companies.map((company) => placeOf(company)));
    const answers = await Promise.all(companies.map((company) => refusal(add(company, given))));
    expect(answers.toSorted()).toEqual(['device.claimRefused', 'device.claimRefused', 'none']);
  });
});

describe('wrong claims', () => {
  const wrong = (mac = label().mac): Label => ({ mac, sn: 'SN-x', claimCode: 'WRONG-CODE-1' });

  it('lock a MAC out for everyone, listed or not, and the error says for how long', async () => {
    for (const given of [await delivered(), label()]) {
      for (let n = 0; n < claimTries.mac; n++)
        expect(await refusal(add(newActor(), wrong(given.mac)))).toBe('device.claimRefused');
      await expect(add(newActor(), given)).rejects.toMatchObject({
        error: 'device.claimLocked',
        code: 429,
        message: expect.stringContaining(`${claimLockMinutes} minutes`),
      });
    }
    const given = await delivered();
    for (let n = 0; n < claimTries.mac; n++) await refusal(add(newActor(), wrong(given.mac)));
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + claimLockMinutes * 60_000);
    expect(await refusal(add(child, given))).toBe('none');
  });

  it('lock out a user over all MACs, and a company over all its users', async () => {
    const company = newActor();
    await placeOf(company);
    let refused = 0;
    for (; refused < claimTries.company;) {
      const user = { ...company, userId: newActor().userId };
      const tries = Math.min(claimTries.user, claimTries.company - refused);
      for (let n = 0; n < tries; n++, refused++) expect(await refusal(add(user, wrong()))).toBe('device.claimRefused');
      expect(await refusal(add(user, wrong()))).toBe('device.claimLocked');
    }
    const given = await delivered();
    expect(await refusal(add({ ...company, userId: newActor().userId }, given))).toBe('device.claimLocked');
    expect(await refusal(type({ ...company, userId: newActor().userId }, given))).toBe('none');
  });

  it('made at the same time are not more than one after the other', async () => {
    const given = await delivered();
    const companies = Array.from({ length: claimTries.mac + 3 }, () => newActor());
    await Promise.all(companies.map((company) => placeOf(company)));
    const answers = await Promise.all(companies.map((company) => refusal(add(company, wrong(given.mac)))));
    expect(answers.filter((answer) => answer === 'device.claimRefused')).toHaveLength(claimTries.mac);
    expect(answers.filter((answer) => answer === 'device.claimLocked')).toHaveLength(3);
  });

  it('of a user who acts in several companies at the same time are not more either', async () => {
    const { userId } = newActor();
    const companies = Array.from({ length: claimTries.user + 3 }, () => ({ ...newActor(), userId }));
    await Promise.all(companies.map((company) => placeOf(company)));
    const answers = await Promise.all(companies.map((company) => refusal(add(company, wrong()))));
    expect(answers.filter((answer) => answer === 'device.claimRefused')).toHaveLength(claimTries.user);
  });
});
