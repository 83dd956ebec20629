import { randomUUID } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import {
  addRole,
  addUser,
  authAccess,
  authSession,
  mailRequest,
  orgOrganization,
  permissionKeys,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { eventually, type Actor } from '@carillon/testing';
import { openMail } from '@carillon/service';
import { password, startAuth } from '../auth-test.ts';

export const orgs = { south: randomUUID(), north: randomUUID() };

type NewUser = RouteCall<typeof addUser>['body'];
export const error = (promise: Promise<unknown>): Promise<{ error: string; fields: string[] }> =>
  promise.then(
    () => ({ error: 'none', fields: [] }),
    (e: { error: string; fields: { path: string }[] }) => ({ error: e.error, fields: e.fields.map((f) => f.path) }),
  );

async function openUsers() {
  const access = new Map<string, { status: string; permissions: string[]; orgIds: string[] } | null>();
  const ended: string[] = [];
  const mails: { to: string; link: string }[] = [];
  const call = () => auth.service.as(admin);
  const auth = await startAuth();
  await auth.bus.fanout({
    topics: [authAccess.name, authSession.name, mailRequest.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const record of records) {
        if (topic === authAccess.name) access.set(record.key, fromRecord(authAccess, record)!.data);
        else if (topic === authSession.name) {
          if (fromRecord(authSession, record)!.type === 'ended') ended.push(record.key);
        } else {
          const { template, sealed } = fromRecord(mailRequest, record)!.data!;
          const body = openMail(auth.mailKey, template, sealed)!;
          mails.push({ to: body.to, link: String(body.data['link'] ?? '') });
        }
      }
    },
  });
  await auth.bus.publish(
    [...Object.entries(orgs), ['head', auth.orgId] as const].map(([name, id]) =>
      toRecord(
        orgOrganization,
        id,
        { id, companyId: auth.companyId, name, description: '', updatedAt: new Date().toISOString() },
        envelope('organization', { companyId: auth.companyId, version: 1 }),
      ),
    ),
  );
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  const admin: Actor = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await eventually(() => expect(access.get(own!.id)?.orgIds).toHaveLength(3));
  const roleId = (
    await call()(addRole, { body: { name: 'Helpers', description: '', permissions: ['home', 'device'] } })
  ).id;
  afterAll(() => auth.close());
  return { auth, access, ended, mails, admin, roleId, call };
}

function userCalls({ auth, admin, roleId }: Awaited<ReturnType<typeof openUsers>>) {
  const fresh = (change: Partial<NewUser> = {}): NewUser => {
    const name = `u${randomUUID().slice(0, 8)}`;
    return {
      username: name,
      nickname: name,
      email: `${name}@example.com`,
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [roleId],
      allOrgs: false,
      orgIds: [orgs.south],
      ...change,
    };
  };
  const edited = (u: Awaited<ReturnType<typeof add>>, change: object = {}) => ({
    id: u.id,
    username: u.username,
    nickname: u.nickname,
    email: u.email,
    roleIds: u.roles.map((r) => r.id),
    allOrgs: u.allOrgs,
    orgIds: u.orgs.map((o) => o.id),
    ...change,
  });
  const add = (change: Partial<NewUser> = {}, actor = admin) =>
    auth.service.as(actor)(addUser, { body: fresh(change) });
  return { edited, add };
}

/** Starts auth with three organizations and a role, and records what it publishes. Closes it after the tests. */
export async function startUsers() {
  const opened = await openUsers();
  return { ...opened, ...userCalls(opened) };
}
