import { afterAll, expect } from 'vitest';
import {
  addChannel,
  addChannelAddress,
  audit,
  companyTypes,
  editChannel,
  getChannel,
  listChannels,
  orgCompany,
  permissionKeys,
  type EventData,
} from '@carillon/contracts';
import { authService } from '@carillon/auth/module';
import { orgService, seedCompany } from '@carillon/org/module';
import { fromRecord } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor } from '@carillon/testing';

/**
 * A tree of channels with the real services: the installation's own company, a distributor below it, a reseller below
 * that with a customer, and the reseller's sibling.
 */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const values = {
  tokenKey: key,
  passwordPepper: key,
  mailKey: key,
  clientId: 'web',
  clientSecret: 'web-secret-of-test',
};
export const first = 'First-Secret-1';
export const later = 'Later-Secret-1';
const grants = {
  addressId: null as string | null,
  createSubLimit: 0,
  fcsLimit: 0,
  licenseGranting: false,
  fcsEnabled: false,
  localSync: false,
  fcsUrl: '',
  fcsDomain: '',
};
export type Grants = Partial<typeof grants>;
export type More = Grants & { type?: (typeof companyTypes)[number]; username?: string; email?: string };
export const body = (name: string, more: More = {}) => ({
  ...grants,
  name,
  type: 'reseller' as (typeof companyTypes)[number],
  organizationName: 'Head office',
  remarks: `about ${name}`,
  username: `${name.toLowerCase().replaceAll(' ', '.')}.chief`,
  nickname: `Chief of ${name}`,
  email: null as string | null,
  activation: 'password' as const,
  password: first,
  oldEnough: true,
  language: 'pt_BR' as const,
  timezoneId: 7,
  countryId: 2,
  ...more,
});
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { path: string }[]; message: string }) => [e.error, ...e.fields.map((f) => f.path)],
  );
export const account = ({ companyId }: Actor) => ({
  id: companyId,
  nickname: 'Carla',
  email: null as string | null,
  language: 'ko' as const,
  timezoneId: 3,
  countryId: 4,
});

async function openChannels() {
  const operator: Actor = { ...newActor(), permissions: permissionKeys };
  const entries: { companyId: string; data: EventData<typeof audit> }[] = [];
  const companies = new Map<string, EventData<typeof orgCompany>>();
  const refusedOnlyByName = async () => {
    const answer = await refusal(
      auth.as(operator)(addChannel, { body: { ...body('Operator', { createSubLimit: 1 }) } }),
    );
    expect(answer).toEqual(['channel.companyRegistered', 'name']);
  };
  const bus = await testBus();
  const auth = await testService(authService as unknown as ServiceDefinition, bus, values);
  const org = await testService(orgService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [audit.name, orgCompany.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        if (r.topic === orgCompany.name) {
          const { data } = fromRecord(orgCompany, r)!;
          if (data) companies.set(r.key, data);
        } else {
          const { data, companyId } = fromRecord(audit, r)!;
          if (data) entries.push({ companyId: companyId!, data });
        }
      }
    },
  });
  await seedCompany(org.database, {
    companyId: operator.companyId,
    name: 'Operator',
    orgId: operator.orgId,
    organizationName: 'Head office',
  });
  await eventually(async () => {
    // Wait until auth knows the limits of the installation's own company.
    await refusedOnlyByName();
  });
  afterAll(async () => {
    for (const service of [auth, org]) await service.close();
    await bus.close();
  });
  return { bus, auth, org, companies, entries, operator };
}

function channelCalls({ auth, org, operator }: Awaited<ReturnType<typeof openChannels>>) {
  /** Adds a channel below `above`. Returns an actor with every permission in it. */
  async function add(above: Actor, name: string, more: More = {}): Promise<Actor> {
    const made = await auth.as(above)(addChannel, { body: body(name, more) });
    await eventually(async () => {
      const channel = await org.as(above)(getChannel, { params: { id: made.id } });
      expect(channel.username).not.toBe('');
    });
    return { ...newActor(), companyId: made.id, orgId: made.orgId, userId: made.userId };
  }
  const channelOf = (above: Actor, { companyId }: Actor) => org.as(above)(getChannel, { params: { id: companyId } });
  const names = async (actor: Actor) => (await org.as(actor)(listChannels, { query: {} })).records.map((c) => c.name);
  async function edit(above: Actor, actor: Actor, more: Grants & { name?: string }) {
    const c = await channelOf(above, actor);
    const { id, name, type, remarks, addressId, createSubLimit, fcsLimit, fcsUrl, fcsDomain } = c;
    const { licenseGranting, fcsEnabled, localSync } = c;
    const limits = { createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync, fcsUrl, fcsDomain };
    return org.as(above)(editChannel, { body: { id, name, type, remarks, addressId, ...limits, ...more } });
  }
  const placed = async () => (await org.as(operator)(listChannels, { query: {} })).records[0]!.addressId!;
  return { add, channelOf, names, edit, placed };
}

/** Starts org and auth with the installation’s own company. Closes them after the tests. */
export async function startChannels() {
  const opened = await openChannels();
  return { ...opened, ...channelCalls(opened) };
}

/** Adds a distributor with an address, two channels below it, and a customer of the first of these. */
export async function plantTree({ org, operator, add }: Awaited<ReturnType<typeof startChannels>>) {
  const { id: addressId } = await org.as(operator)(addChannelAddress, {
    body: { name: 'Iberia', parentId: null, description: '' },
  });
  // Auth refuses a channel until it has received the limits of its parent.
  const below = (above: Actor, name: string, more: More) => eventually(() => add(above, name, more));
  const limits = { createSubLimit: 5, fcsLimit: 10, licenseGranting: true, fcsEnabled: true };
  const distributor = await below(operator, 'Distributor', { type: 'distributor', addressId, ...limits });
  const reseller = await below(distributor, 'Reseller', { createSubLimit: 2, fcsLimit: 6, fcsEnabled: true });
  const neighbour = await below(distributor, 'Neighbour', {});
  const customer = await below(reseller, 'Customer', { type: 'enterprise', fcsLimit: 1, fcsEnabled: true });
  return { distributor, reseller, neighbour, customer };
}
