import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { addUser, authAccess, authSession, listRoles, mailRequest, permissionKeys } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { openMail } from '@carillon/service';
import type { Actor } from '@carillon/testing';
import { password, startAuth } from './auth-test.ts';

export const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

async function openAttack() {
  const mails: { to: string; template: string; link: string; code: string }[] = [];
  const access = new Map<string, { lockedUntil?: number | undefined; permissions: string[] } | null>();
  const ended: string[] = [];
  const auth = await startAuth({ captchaAfterFailures: 1_000_000 });
  await auth.bus.fanout({
    topics: [mailRequest.name, authAccess.name, authSession.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const record of records) {
        if (topic === authAccess.name) access.set(record.key, fromRecord(authAccess, record)!.data);
        else if (topic === authSession.name) {
          if (fromRecord(authSession, record)!.type === 'ended') ended.push(record.key);
        } else {
          const { template, sealed } = fromRecord(mailRequest, record)!.data!;
          const { to, data } = openMail(auth.mailKey, template, sealed)!;
          mails.push({ to, template, link: String(data['link'] ?? ''), code: String(data['code'] ?? '') });
        }
      }
    },
  });
  const users = await auth.sql<{ id: string; username: string }>('select id, username from user_account');
  const admin: Actor = {
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: users.find((u) => u.username === 'admin')!.id,
    permissions: permissionKeys,
  };
  await auth.sql(`update user_account set email = username || '@example.com'`);
  afterAll(() => auth.close());
  return { auth, access, ended, mails, admin };
}

function attackCalls({ auth, admin }: Awaited<ReturnType<typeof openAttack>>) {
  const fastify = () => auth.service.app.getHttpAdapter().getInstance();
  const forget = () => auth.sql('delete from login_failure');
  async function person(more: object = {}) {
    const username = `p${randomUUID().slice(0, 8)}`;
    const [role] = (await auth.service.as(admin)(listRoles, { query: { search: 'viewer' } })).records;
    const made = await auth.service.as(admin)(addUser, {
      body: {
        username,
        nickname: 'Pia',
        email: `${username}@example.com`,
        activation: 'password',
        oldEnough: true,
        password,
        roleIds: [role!.id],
        allOrgs: true,
        orgIds: [],
        ...more,
      } as never,
    });
    await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [made.id]);
    return { id: made.id, username, email: `${username}@example.com`, roleId: role!.id };
  }
  return { fastify, forget, person };
}

/** Starts auth for attacks, and records its mails and sessions. Closes it after the tests. */
export async function startAttack() {
  const opened = await openAttack();
  return { ...opened, ...attackCalls(opened) };
}
