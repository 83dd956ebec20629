import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { setLogDestination, startTracing } from '@carillon/observability';
import { startGateway } from '../gateway-test.ts';

test('what a login or a token carries is in no log and no trace, whatever goes wrong [AUTH-03/secrets]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-secret-'));
  const lines: string[] = [];
  setLogDestination(
    {
      write: (line: string) => {
        lines.push(line);
      },
    },
    'trace',
  );
  const stopTracing = startTracing('gateway', { file: join(folder, 'spans.jsonl') });
  const gateway = await startGateway({}, 'secret');
  try {
    const person = await gateway.person();
    const canary = {
      password: randomUUID(),
      refresh_token: randomUUID(),
      username: randomUUID(),
      key: randomUUID(),
      code: randomUUID(),
    };
    const headers = {
      'carillon-token': person.token,
      cookie: `secret=${randomUUID()}`,
      authorization: `Basic ${randomUUID()}`,
    };
    const query = new URLSearchParams({ grant_type: 'captcha', ...canary }).toString();
    for (const answer of [
      (_: unknown, response: { end(text: string): void }) => {
        response.end('{}');
      },
      (request: { socket: { destroy(): void } }) => {
        request.socket.destroy();
      },
    ]) {
      gateway.answer(answer as never);
      await gateway.request(`/api/f/auth/oauth/token?${query}`, { method: 'POST', headers });
      await gateway.request('/api/f/auth/oauth/token', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(canary),
      });
      await gateway.request('/api/f/auth/api/token/add', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ password: canary.password }),
      });
      await gateway.request(`/api/f/device/device/list?${query}`, { headers });
      await gateway.request(`/api/f/nothing?${query}`, { headers });
    }
    expect(lines.some((line) => line.includes('a service did not answer'))).toBe(true);
    await stopTracing();
    const spans = readFileSync(join(folder, 'spans.jsonl'), 'utf8');
    expect(spans).toContain('/api/f/auth/oauth/token');
    for (const secret of [
      ...Object.values(canary),
      person.token,
      headers.cookie.slice(7),
      headers.authorization.slice(6),
    ]) {
      expect(lines.some((line) => line.includes(secret))).toBe(false);
      expect(spans.includes(secret)).toBe(false);
    }
  } finally {
    await gateway.close();
    setLogDestination(undefined);
    rmSync(folder, { recursive: true });
  }
});
