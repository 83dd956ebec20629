import { expect, test } from 'vitest';
import { authAccess, authSession, bladeUserInfo, clearCache, logout, logoutWithLogs } from '@carillon/contracts';
import { verifyAccessToken } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { setLogDestination } from '@carillon/observability';
import { startAuth } from '../auth-test.ts';

test('both logouts revoke the session and clear its cookies; errors are logged without queries [AUTH-15]', async () => {
  const lines: string[] = [];
  setLogDestination(
    {
      write: (line: string) => {
        lines.push(line);
      },
    },
    'warn',
  );
  const auth = await startAuth();
  try {
    const [ended, published]: [string[], string[]] = [[], []];
    await auth.bus.fanout({
      topics: [authSession.name, authAccess.name],
      from: 'end',
      handle: ({ topic, records }) => {
        (topic === authSession.name ? ended : published).push(...records.map((r) => r.key));
      },
    });
    for (const route of [logout, logoutWithLogs]) {
      const { body } = await auth.login('admin');
      const sessionId = verifyAccessToken(body['access_token'], auth.tokenKey)!.sessionId;
      const actor = { companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'] as string, sessionId };
      expect(await auth.service.as(actor)(bladeUserInfo)).toMatchObject({ username: 'admin', userId: body['userId'] });
      const before = published.length;
      expect(await auth.service.as(actor)(clearCache)).toBeNull();
      await eventually(() => {
        expect(published.slice(before)).toEqual([body['userId']]);
      });
      const logs = [
        {
          url: 'http://x/login?code=hidden-1',
          time: '2026-11-21 10:00:00',
          type: 'error',
          message: 'boom-1',
          stack: 'at y',
        },
      ];
      const answer = await auth.service.app
        .getHttpAdapter()
        .getInstance()
        .inject({
          method: route.method,
          url: route.path,
          headers: {
            ...auth.service.headersOf(actor),
            ...(route === logoutWithLogs ? { 'content-type': 'application/json' } : {}),
          },
          ...(route === logoutWithLogs ? { payload: { logs } } : {}),
        });
      expect(answer.statusCode).toBe(200);
      expect([answer.headers['set-cookie']].flat()).toEqual([
        expect.stringMatching(/access-\w+=; Path=\/; Max-Age=0/),
        expect.stringMatching(/refresh-\w+=; Path=\/; Max-Age=0/),
      ]);
      await eventually(() => {
        expect(ended).toContain(sessionId);
      });
      expect(
        (await auth.token({ grant_type: 'refresh_token', refresh_token: body['refresh_token'] })).body['error'],
      ).toBe('auth.logonFailure');
    }
    expect(lines.filter((line) => line.includes('boom-1') && line.includes('http://x/login'))).toHaveLength(1);
    expect(lines.some((line) => line.includes('hidden-1'))).toBe(false);
  } finally {
    await auth.close();
    setLogDestination(undefined);
  }
});

test('a logout writes at most 200 errors of a user in a minute and 50 at once [SYS-05/logout]', async () => {
  const lines: string[] = [];
  setLogDestination({ write: (line: string) => void lines.push(line) }, 'warn');
  const auth = await startAuth();
  try {
    const leave = async (number: number): Promise<number> => {
      const { body } = await auth.login('admin');
      const { sessionId } = verifyAccessToken(body['access_token'], auth.tokenKey)!;
      const actor = { companyId: auth.companyId, orgId: auth.orgId, userId: body['userId'] as string, sessionId };
      const entry = { url: '/device/list', time: '', type: 'error', message: 'flood-1' };
      const answer = await auth.service.raw(actor, {
        method: 'POST',
        url: logoutWithLogs.path,
        payload: { logs: Array.from({ length: number }, () => entry) },
      });
      return answer.status;
    };
    expect(await leave(51)).toBe(400);
    for (let i = 0; i < 6; i++) expect(await leave(50)).toBe(200);
    const written = lines.filter((line) => line.includes('flood-1')).length;
    // The allowance grows by one every 300 ms while the test runs.
    expect(written).toBeGreaterThanOrEqual(200);
    expect(written).toBeLessThan(300);
  } finally {
    await auth.close();
    setLogDestination(undefined);
  }
});
