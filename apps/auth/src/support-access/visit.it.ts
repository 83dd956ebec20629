import { afterAll, beforeAll, expect, test } from 'vitest';
import { addSupportAccess, enterChannel } from '@carillon/contracts';
import { currentSql, platform } from '@carillon/persistence';
import { verifyAccessToken } from '@carillon/tenancy';
import { newActor, type Actor } from '@carillon/testing';
import { startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
beforeAll(async () => {
  auth = await startAuth();
  await addCompany(auth.companyId, 'Meridian', null);
});
afterAll(() => auth.close());

const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const sql = <R>(text: string, values: readonly unknown[] = []) =>
  platform(auth.service.database, 'test', async () => (await currentSql().query<R>(text, values)).rows);

const addCompany = (id: string, name: string, parentId: string | null) =>
  sql(
    `
      insert into company_copy (id, company_id, name, status, parent_id, version) values ($1, $1, $2, 'normal', $3, 0)
    `,
    [id, name, parentId],
  );

/** Creates a company directly below the one of `auth`, which grants it access. */
async function customer(name: string): Promise<Actor> {
  const as = newActor();
  await addCompany(as.companyId, name, auth.companyId);
  await auth.service.as(as)(addSupportAccess, { body: { level: 'manage', hours: 1, reason: '' } });
  return as;
}
/** Logs the administrator in and returns their new session. */
async function visitor(): Promise<{ actor: Actor; sessionId: string; refreshToken: string }> {
  const { body } = await auth.login('admin');
  const { userId, sessionId } = verifyAccessToken(body['access_token'] as string, auth.tokenKey)!;
  const actor = newActor({ companyId: auth.companyId, orgId: auth.orgId, userId, sessionId });
  return { actor, sessionId, refreshToken: body['refresh_token'] as string };
}

test('of customers that a session enters at the same moment it is in one, and each call is answered', async () => {
  const customers = await Promise.all(['Alpine', 'Harbor', 'Kestrel'].map(customer));
  for (let round = 0; round < 5; round++) {
    const { actor, sessionId } = await visitor();
    const enter = ({ companyId }: Actor) =>
      refusal(auth.service.as(actor)(enterChannel, { params: { id: companyId } }));
    expect(await Promise.all([...customers, ...customers].map(enter))).toEqual(Array.from({ length: 6 }, () => 'none'));
    expect(await sql('select 1 from visit where session_id = $1 and ended_at is null', [sessionId])).toHaveLength(1);
  }
});

test('a program with a token of a developer enters nowhere: it has no session that could go there', async () => {
  const { companyId } = await customer('Larch');
  const { actor } = await visitor();
  const { sessionId: _, ...program } = actor;
  expect(await refusal(auth.service.as(program)(enterChannel, { params: { id: companyId } }))).toBe('common.forbidden');
});

test('a session that has ended enters nowhere', async () => {
  const { companyId } = await customer('Merlin');
  const { actor, sessionId } = await visitor();
  await sql(`update session set ended_at = now() where id = $1`, [sessionId]);
  expect(await refusal(auth.service.as(actor)(enterChannel, { params: { id: companyId } }))).toBe(
    'common.tokenInvalid',
  );
  expect(await sql('select 1 from visit where session_id = $1', [sessionId])).toEqual([]);
});
