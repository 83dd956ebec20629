import { queryOptions } from '@tanstack/react-query';
import type { getUserMail, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import { quietly } from '../../../kit/api/quietly.ts';

const ofUser = remote('getUserMail', 'GET /api/f/notification/mail/user/{id}');
const ofCompany = remote('getCompanyMail', 'GET /api/f/notification/mail/company/{id}/{userId}');
const own = remote('getOwnMail', 'GET /api/f/notification/mail/own');
const status = remote('getMailStatus', 'GET /api/f/notification/mail/status/{id}');

export type LastMail = RouteOutput<typeof getUserMail>;

const [soonMs, soonTimes, laterMs] = [500, 40, 10_000];

/** Polls the last mail. `before` is the id of the mail before the one just requested, for which it waits. */
const lastMail = (key: readonly unknown[], ask: (signal: AbortSignal) => Promise<LastMail>, before?: string | null) =>
  queryOptions({
    queryKey: [...key, 'mail'],
    queryFn: ({ signal }) => quietly(() => ask(signal)),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data === undefined) return false;
      const ordered = before !== undefined && (data?.id ?? null) === before;
      if (!ordered && data?.status !== 'waiting') return false;
      // A mail leaves within seconds; otherwise the problem takes longer, so polling slows down.
      return dataUpdateCount < soonTimes && !(data?.error && !ordered) ? soonMs : laterMs;
    },
  });

export const userMailQuery = (id: string, before?: string | null) =>
  lastMail(['user', 'one', id], (signal) => call(ofUser, { params: { id } }, { signal }), before);
export const companyMailQuery = (id: string, userId: string, before?: string | null) =>
  lastMail(['company', 'mail', userId], (signal) => call(ofCompany, { params: { id, userId } }, { signal }), before);
/** Polls whether a mail was sent, until it was sent or given up. */
export const mailStatusQuery = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    // A mail that was just requested is not stored yet.
    queryFn: ({ signal }) =>
      quietly(
        async () =>
          (await call(status, { params: { id } }, { signal })) ?? { status: 'waiting' as const, retrying: false },
      ),
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data?.status !== 'waiting') return false;
      return dataUpdateCount < soonTimes && !data.retrying ? soonMs : laterMs;
    },
  });
export async function lastOwnMail(
  template: NonNullable<LastMail>['template'],
  signal?: AbortSignal,
): Promise<LastMail> {
  const mail = await call(own, {}, signal ? { signal } : {});
  return mail?.template === template ? mail : null;
}

/** The last mail of one kind; waits until there is one. */
export const ownMailQuery = (template: NonNullable<LastMail>['template'], before: string | null) =>
  lastMail(['session', 'own', template], (signal) => lastOwnMail(template, signal), before);
