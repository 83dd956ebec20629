import { afterAll } from 'vitest';
import { addSipAccount, addSipServer, provisioningAccount } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { newActor, testBus, type Actor } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';

export const plain = {
  port: 5060,
  transport: 'udp' as const,
  domain: '',
  proxyAddress: null,
  proxyPort: null,
  backupAddress: null,
  backupPort: null,
};

async function openSipAccounts() {
  const own = newActor();
  const stranger = newActor();
  const published: { key: string; version: number; name: string | null; text: string | null }[] = [];
  const bus = await testBus('provisioning_bus');
  const service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningAccount.name, 'audit.v1', 'live.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records)
        if (r.topic === provisioningAccount.name) {
          const { data, version = 0 } = fromRecord(provisioningAccount, r)!;
          published.push({ key: r.key, version, name: data?.name ?? null, text: r.value });
        } else published.push({ key: r.key, version: 0, name: null, text: r.value });
    },
  });
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, published, own, stranger };
}

function sipAccountCalls({ service, own }: Awaited<ReturnType<typeof openSipAccounts>>) {
  const call = (as: Actor = own) => service.as(as);
  const newServer = (name: string, as: Actor = own) =>
    call(as)(addSipServer, {
      body: { ...plain, name, address: `${name.toLowerCase().replaceAll(' ', '-')}.example.com` },
    });
  const newAccount = (serverId: string, number: string, more: object = {}, as: Actor = own) =>
    call(as)(addSipAccount, { body: { name: `Account ${number}`, number, serverId, ...more } });
  return { call, newServer, newAccount };
}

/** Starts provisioning, and records the accounts that it publishes. Closes it after the tests. */
export async function startSipAccounts() {
  const opened = await openSipAccounts();
  return { ...opened, ...sipAccountCalls(opened) };
}
