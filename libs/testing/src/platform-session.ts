import { createHash } from 'node:crypto';
import { captchaHeaders, createClient, getCaptchaWork, showCaptcha, token } from '@carillon/contracts';
import { doWork } from './captcha.ts';
import { eventually } from './eventually.ts';
import type { Ready } from './installation.ts';

/**
 * Fetch for a cluster whose processes are killed on purpose: retries reads without an answer like a browser, but no
 * changes.
 */
export const patientFetch: typeof fetch = async (input, init) => {
  const reads = (init?.method ?? 'GET') === 'GET';
  for (const until = Date.now() + 60_000; ;) {
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(reads ? 5_000 : 40_000) });
      if (!reads || response.status !== 503 || Date.now() > until) return response;
      await response.body?.cancel();
    } catch (error) {
      if (!reads || Date.now() > until) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
};

/** Logs in like the console; the call takes an MD5 of the password (SYS-06). */
export async function logIn({ url, admin, client }: Ready): Promise<string> {
  const headers: Record<string, string> = {
    authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
  };
  const call = createClient({ baseUrl: url, headers: () => headers });
  const password = createHash('md5').update(admin.password).digest('hex');
  return (
    await eventually(async () => {
      if (await call(showCaptcha, { query: { username: admin.username } })) {
        const work = await call(getCaptchaWork);
        Object.assign(headers, { [captchaHeaders.key]: work.key, [captchaHeaders.code]: doWork(work) });
      }
      return call(token, {
        query: {},
        body: { grant_type: 'captcha', scope: 'all', username: admin.username, password },
      });
    })
  ).access_token;
}
