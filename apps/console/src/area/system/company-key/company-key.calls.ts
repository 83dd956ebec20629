import { queryOptions } from '@tanstack/react-query';
import type { CompanyKeyRoutes, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export type CompanyKey = RouteOutput<CompanyKeyRoutes['get']>;

const calls = {
  accounts: {
    get: remote('getAccountKey', 'GET /api/f/provisioning/companyKey'),
    renew: remote('renewAccountKey', 'POST /api/f/provisioning/companyKey/renew'),
  },
  files: {
    get: remote('getFileKey', 'GET /api/f/resource/companyKey'),
    renew: remote('renewFileKey', 'POST /api/f/resource/companyKey/renew'),
  },
} as const;
/** What has a key of its own. */
export type KeyOf = keyof typeof calls;
export const keysOf = Object.keys(calls) as KeyOf[];

const lookMs = 2_000;
export const goesOn = ({ renewal }: CompanyKey): boolean => renewal !== null && renewal.endedAt === null;

export const companyKeyQuery = (purpose: KeyOf) =>
  queryOptions({
    queryKey: ['companyKey', purpose],
    queryFn: ({ signal }): Promise<CompanyKey> => call(calls[purpose].get, {}, { signal }),
    refetchInterval: ({ state }) => (state.data && goesOn(state.data) ? lookMs : false),
  });

export const renewCompanyKey = (purpose: KeyOf): Promise<CompanyKey> => call(calls[purpose].renew);
