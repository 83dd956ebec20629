import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const get = remote('getFcs', 'GET /api/f/provisioning/fcs');
export type Fcs = RouteOutput<typeof get>;

/** Cached with the accounts, because each change of them counts. */
export const fcsQuery = () =>
  queryOptions({ queryKey: ['sipAccount', 'fcs'], queryFn: ({ signal }) => call(get, {}, { signal }) });
