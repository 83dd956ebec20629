import { queryOptions } from '@tanstack/react-query';
import type { getUserMail, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';
import { inBackground } from '../../../kit/session/origin.ts';

const ofUser = remote('getUserMail', 'GET /api/f/notification/mail/user/{id}');
const ofCompany = remote('getCompanyMail', 'GET /api/f/notification/mail/company/{id}/{userId}');
const own = remote('getOwnMail', 'GET /api/f/notification/mail/own');

export type LastMail = RouteOutput<typeof getUserMail>;

/** Asked for by the console, again and again: nobody is taken for present by it. */
function quietly<T>(ask: () => Promise<T>): Promise<T> {
  let answer: Promise<T>;
  inBackground(() => {
    answer = ask();
  });
  return answer!;
}

/** `before` is the id of the mail before the one that was just ordered: until that one is there, it is waited for. */
const lastMail = (key: readonly unknown[], ask: (signal: AbortSignal) => Promise<LastMail>, before?: string | null) =>
  queryOptions({
    queryKey: [...key, 'mail'],
    queryFn: ({ signal }) => quietly(() => ask(signal)),
    refetchInterval: ({ state: { data } }) =>
      data === undefined
        ? false
        : before !== undefined && (data?.id ?? null) === before
          ? 500
          : data?.status !== 'waiting'
            ? false
            : data.error === null
              ? 1_000
              : 10_000,
  });

export const userMailQuery = (id: string, before?: string | null) =>
  lastMail(['user', 'one', id], (signal) => call(ofUser, { params: { id } }, { signal }), before);
export const companyMailQuery = (id: string, userId: string, before?: string | null) =>
  lastMail(['company', 'mail', userId], (signal) => call(ofCompany, { params: { id, userId } }, { signal }), before);
export async function lastOwnMail(
  template: NonNullable<LastMail>['template'],
  signal?: AbortSignal,
): Promise<LastMail> {
  const mail = await call(own, {}, signal ? { signal } : {});
  return mail?.template === template ? mail : null;
}

/** Of one kind: until there is one, it is waited for. */
export const ownMailQuery = (template: NonNullable<LastMail>['template'], before: string | null) =>
  lastMail(['session', 'own', template], (signal) => lastOwnMail(template, signal), before);
