import { publicHeaders } from './public-headers.ts';
import { LoginError } from '../session/session.ts';

/** Makes a call without a session, for pages before the login. Returns its `data`, or throws a {@link LoginError}. */
export async function ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(await publicHeaders()),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  const answer = (await response.json().catch(() => ({}))) as {
    data?: T;
    msg?: string;
    error?: string;
    requestId?: string;
  };
  if (!response.ok) throw new LoginError(answer.msg ?? '', response.status, answer.requestId, answer.error);
  return answer.data as T;
}
