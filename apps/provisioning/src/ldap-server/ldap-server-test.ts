import { afterAll, expect } from 'vitest';
import {
  addLdapServer,
  audit,
  getLdapServer,
  listLdapAccounts,
  syncLdapServer,
  testLdapServer,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor } from '@carillon/testing';
import { testLdap, type Person } from '@carillon/testing/ldap';
import { provisioningService } from '../provisioning.module.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';

/** 10,000 entries, so that every sync reads 20 pages. */
export const many = 10_000;
export const person = (at: number): Person => ({
  cn: `Person ${String(at).padStart(5, '0')}`,
  telephoneNumber: `+49 30 ${at}`,
  mail: `p${at}@example.com`,
  departmentNumber: at % 2 === 0 ? 'Sales' : 'Support',
  manager: `uid=p0,ou=people,dc=example,dc=com`,
});
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

async function openLdapServers() {
  const stranger = newActor();
  const audited: { action: string; result: string; companyId: string; text: string }[] = [];
  const ldap = await testLdap(Object.fromEntries(Array.from({ length: many }, (_, at) => [`p${at}`, person(at)])));
  const bus = await testBus('ldap_bus');
  const service = await testService(provisioningService as unknown as ServiceDefinition, bus, {
    dataKey: key,
    outboundAllowed: `localhost:${ldap.port},localhost:${ldap.tlsPort}`,
    ldapTickMs: 100,
    ldapLeaseSeconds: 2,
  });
  await bus.fanout({
    topics: ['audit.v1'],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, companyId } = fromRecord(audit, record)!;
        audited.push({ ...data!, companyId: companyId!, text: String(record.value) });
      }
    },
  });
  afterAll(async () => {
    await service.close();
    await bus.close();
    await ldap.stop();
  });
  return { ldap, bus, service, audited, stranger };
}

function ldapServerCalls({ ldap, service }: Awaited<ReturnType<typeof openLdapServers>>) {
  const place = (more: object = {}) => ({
    host: ldap.host,
    port: ldap.tlsPort,
    security: 'ldaps' as const,
    checkCertificate: true,
    ca: ldap.ca,
    userName: ldap.user,
    base: ldap.base,
    filter: '(objectClass=person)',
    attributes: {
      name: 'cn',
      number: 'telephoneNumber',
      mailbox: 'mail',
      department: 'departmentNumber',
      supervisor: 'manager',
      adAccount: 'uid',
    },
    ...more,
  });
  const fields = (name: string, more: object = {}) => ({
    ...place(),
    name,
    enabled: true,
    cycle: 'off' as const,
    time: '02:00',
    weekday: 1,
    ...more,
  });
  const call = (as: Actor) => service.as(as);
  const add = (as: Actor, name: string, more: object = {}) =>
    call(as)(addLdapServer, { body: { ...fields(name), password: ldap.password, ...more } });
  const attempt = (as: Actor, more: object = {}) =>
    call(as)(testLdapServer, { body: { ...place(), password: ldap.password, ...more } });
  const ended = (as: Actor, id: string, status: string, withinMs = 60_000) =>
    eventually(async () => {
      const server = await call(as)(getLdapServer, { params: { id } });
      expect([server.sync?.status, server.sync?.msg]).toEqual([
        status,
        status === 'success' ? null : expect.any(String),
      ]);
      return server;
    }, withinMs);
  const synced = async (as: Actor, id: string) => {
    await call(as)(syncLdapServer, { body: { id } });
    return ended(as, id, 'success');
  };
  const accounts = async (as: Actor, query: object = {}) =>
    call(as)(listLdapAccounts, { query: { limit: 200, ...query } as never });
  const inCompany = async (as: Actor, sql: string, values: unknown[] = []) =>
    (
      await transaction(service.database, companySession(as.companyId), () =>
        currentSql().query<Record<string, unknown>>(sql, values),
      )
    ).rows;
  return { place, fields, call, add, attempt, ended, synced, accounts, inCompany };
}

/** Starts provisioning and a directory of 10,000 entries. Stops both after the tests. */
export async function startLdapServers() {
  const opened = await openLdapServers();
  return { ...opened, ...ldapServerCalls(opened) };
}
