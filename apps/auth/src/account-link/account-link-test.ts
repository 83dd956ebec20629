import { randomUUID } from 'node:crypto';
import { afterAll, expect } from 'vitest';
import {
  addUser,
  authSession,
  linkDays,
  mailRequest,
  orgOrganization,
  type MailTemplate,
  type RouteDefinition,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { openMail } from '@carillon/service';
import { eventually, type Actor } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';

export const other = 'Another-Secret-2';
export const days = linkDays * 86_400;
export const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1);
export const chosen = (newPassword: string, confirmation = newPassword) => ({ newPassword, confirmation });

async function openAccountLinks() {
  const mails: { template: MailTemplate; to: string; link: string; language: string }[] = [];
  const ended: string[] = [];
  const raws: string[] = [];
  const auth = await startAuth();
  await auth.bus.fanout({
    topics: [mailRequest.name, authSession.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const record of records) {
        raws.push(`${record.key}${JSON.stringify(record.headers)}${record.value}`);
        if (topic === authSession.name) {
          if (fromRecord(authSession, record)!.type === 'ended') ended.push(record.key);
          continue;
        }
        const { template, sealed, language } = fromRecord(mailRequest, record)!.data!;
        const { to, data } = openMail(auth.mailKey, template, sealed)!;
        mails.push({ template, to, link: String(data['link'] ?? ''), language });
      }
    },
  });
  await auth.bus.publish([
    toRecord(
      orgOrganization,
      auth.orgId,
      { id: auth.orgId, companyId: auth.companyId, name: 'head', description: '', updatedAt: '' },
      envelope('organization', { companyId: auth.companyId, version: 1 }),
    ),
  ]);
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  const [{ id: roleId }] = (await auth.sql<{ id: string }>(`select id from role where name = 'viewer'`)) as [
    { id: string },
  ];
  const admin: Actor = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id };
  await eventually(async () => expect(await auth.sql('select 1 from organization_copy')).toHaveLength(1));
  afterAll(() => auth.close());
  return { auth, raws, ended, mails, roleId, admin };
}

/** Returns a function that sends a request without a session. */
const publicCalls = (auth: AuthUnderTest) =>
  async function ask(
    route: RouteDefinition,
    body: object,
    address = `10.1.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
  ) {
    const { status, body: answer } = await auth.service.raw(null, {
      method: route.method,
      url: route.path,
      payload: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'carillon-address': address },
    });
    const data = answer['data'] as {
      fields?: { path: string }[];
      ticket: string;
      email: string;
      username: string;
    } | null;
    return {
      status,
      error: answer['error'] as string | undefined,
      data,
      fields: data?.fields?.map((f) => f.path),
      text: JSON.stringify({ ...answer, requestId: '' }),
    };
  };

function accountLinkCalls({ auth, mails, roleId, admin }: Awaited<ReturnType<typeof openAccountLinks>>) {
  const mailTo = (to: string, template: MailTemplate, from = 0) =>
    eventually(() => {
      const found = mails.slice(from).filter((m) => m.to === to && m.template === template);
      expect(found.length, `${template} to ${to}`).toBeGreaterThan(0);
      return found.at(-1)!;
    });
  /** Makes all links of a user older. */
  const age = (userId: string, seconds: number) =>
    auth.sql(
      `
      update account_link
      set created_at = created_at - make_interval(secs => $2), expires_at = expires_at - make_interval(secs => $2)
      where user_id = $1
    `,
      [userId, seconds],
    );

  async function person(activation: 'email' | 'password' = 'password', active = true) {
    const username = `p${randomUUID().slice(0, 8)}`;
    const made = await auth.service.as(admin)(addUser, {
      body: {
        username,
        nickname: 'Pia',
        email: `${username}@example.com`,
        activation,
        oldEnough: true,
        ...(activation === 'password' ? { password } : {}),
        roleIds: [roleId],
        allOrgs: true,
        orgIds: [],
      },
    });
    if (active)
      await auth.sql(`update user_account set status = 'normal', activated_at = now() where id = $1`, [made.id]);
    return { ...made, email: made.email! };
  }
  const asUser = (id: string) => auth.service.as({ companyId: auth.companyId, orgId: auth.orgId, userId: id });
  return { mailTo, age, person, asUser };
}

/** Starts auth with an organization, and records its mails and ended sessions. Closes it after the tests. */
export async function startAccountLinks() {
  const opened = await openAccountLinks();
  return { ...opened, ask: publicCalls(opened.auth), ...accountLinkCalls(opened) };
}
