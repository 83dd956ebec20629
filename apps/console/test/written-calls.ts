import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import type { useProduct } from './browser.ts';

/** Untyped: the expectations check the content. */
export type Json = ReturnType<typeof JSON.parse>;
interface Answer {
  status: number;
  type: string | null;
  body: Json;
}
interface Sent {
  query?: readonly (readonly [string, string])[];
  json?: unknown;
  form?: Record<string, string>;
  as?: Record<string, string>;
}

/** Sends a call as the page writes it. */
async function send(
  url: string,
  method: string,
  { query, json, form }: Omit<Sent, 'as'>,
  headers: Record<string, string>,
): Promise<Answer> {
  const body = form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json);
  const type = form
    ? 'application/x-www-form-urlencoded'
    : json === undefined
      ? undefined
      : 'application/json;charset=utf-8';
  const search = query ? `?${new URLSearchParams(query.map((pair) => [...pair])).toString()}` : '';
  const response = await fetch(`${url}${search}`, {
    method,
    headers: { ...headers, ...(type ? { 'content-type': type } : {}) },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  let parsed: unknown = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    /* A picture. */
  }
  return { status: response.status, type: response.headers.get('content-type'), body: parsed };
}

/** An independent client of the published calls (SYS-06), written from their description alone. */
export function useWrittenCalls(product: ReturnType<typeof useProduct>) {
  let headers: Record<string, string>;
  let basic: string;

  const ask = (method: string, path: string, { as = headers, ...sent }: Sent = {}): Promise<Answer> =>
    send(`${product.platform.ready.url}${path}`, method, sent, as);
  /**
   * Checks the envelope with code 200 and returns its data: the described client takes any other code for a failure
   * (section 8).
   */
  async function data(method: string, path: string, sent: Sent = {}): Promise<Json> {
    const { status, body } = await ask(method, path, sent);
    expect(
      [Math.floor(status / 100), body.code, body.success],
      `${method} ${path} ${JSON.stringify(body).slice(0, 300)}`,
    ).toEqual([2, 200, true]);
    return body.data;
  }
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const logIn = async (): Promise<Record<string, Json>> => {
    const { admin } = product.platform.ready;
    return (
      await ask('POST', '/api/f/auth/oauth/token', {
        as: { authorization: basic },
        query: [
          ['username', admin.username],
          ['password', md5(admin.password)],
          ['grant_type', 'captcha'],
          ['scope', 'all'],
          ['key', ''],
          ['code', ''],
        ],
      })
    ).body;
  };
  const carry = (token: string): Record<string, string> => ({
    authorization: basic,
    'carillon-auth': `bearer ${token}`,
    'carillon-token': token,
    'carillon-language': 'en_US',
    'carillon-org': '1',
    'carillon-timezone': '1',
  });

  beforeAll(async () => {
    const { client } = product.platform.ready;
    basic = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
    headers = carry((await logIn())['access_token']);
  });
  const undo: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const back of undo) await back();
  });
  return { ask, data, logIn, carry, undo, asClient: () => ({ authorization: basic }) };
}
