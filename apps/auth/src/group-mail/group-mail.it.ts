import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailGroup, mailRequest, type EventData } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { openMail } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth?.close();
});

it('a group mail goes once to each active user with an address who sees the organization [NOTE-03/users]', async () => {
  const { companyId, orgId, mailKey } = auth;
  const other = randomUUID();
  const [template] = await auth.sql<{ id: string; role: string }>(
    `
      select u.id, r.role_id as role
      from user_account u
      join user_role r on r.user_id = u.id
      where u.username = 'viewer'
    `,
  );
  const { role } = template!;
  const user = async (
    username: string,
    user: { email?: string | null; status?: string; allOrgs?: boolean; orgIds?: string[]; language?: string | null },
  ): Promise<string> => {
    const { email = `${username}@example.com`, status = 'normal', allOrgs = false, orgIds = [orgId] } = user;
    const id = randomUUID();
    await auth.sql(
      `
        insert into user_account
        select r.*
        from user_account u
        cross join lateral jsonb_populate_record(
          u, jsonb_build_object(
            'id', $2::uuid, 'username', $3::text, 'nickname', $3::text, 'email', $4::text, 'status', $5::text,
            'all_orgs', $6::boolean, 'org_ids', to_jsonb($7::uuid[]), 'language', $8::text
          )
        ) r
        where u.id = $1
      `,
      [template!.id, id, username, email, status, allOrgs, orgIds, user.language ?? null],
    );
    return id;
  };
  const named = [
    await user('anna', { allOrgs: true, orgIds: [], language: 'ko' }),
    await user('ben', {}),
    await user('carla', { orgIds: [other] }),
    await user('disabled', { status: 'disabled' }),
    await user('nomail', { email: null }),
  ];
  const emil = await user('emil', {});
  for (const userId of [emil, named[1]])
    await auth.sql('insert into user_role (id, company_id, user_id, role_id) values ($1, $2, $3, $4)', [
      randomUUID(),
      companyId,
      userId,
      role,
    ]);
  await user('nobody', {});
  const asked: EventData<typeof mailRequest>[] = [];
  const feed = await auth.bus.fanout({
    topics: [mailRequest.name],
    from: 'end',
    handle: ({ records }) => {
      asked.push(...records.map((r) => JSON.parse(r.value!) as EventData<typeof mailRequest>));
    },
  });
  const send = (to: string | null) =>
    auth.bus.publish([
      toRecord(
        mailGroup,
        companyId,
        { roleIds: [role], userIds: named, orgId: to, data: { title: 'Night watch', alarms: [], more: 0 } },
        envelope('alarms', { companyId }),
      ),
    ]);
  await send(orgId);
  const seen = () =>
    asked
      .map((m) => [openMail(mailKey, m.template, m.sealed)!.to, m.language, m.template])
      .sort(([a], [b]) => (a! < b! ? -1 : 1));
  await eventually(() => {
    expect(seen()).toEqual([
      ['anna@example.com', 'ko', 'alarms'],
      ['ben@example.com', 'en_US', 'alarms'],
      ['emil@example.com', 'en_US', 'alarms'],
    ]);
  });
  // A mail about the whole company goes to the users who see the whole company.
  asked.length = 0;
  await send(null);
  await eventually(() => {
    expect(seen().map(([to]) => to)).toEqual(['anna@example.com']);
  });
  await feed.close();
});
