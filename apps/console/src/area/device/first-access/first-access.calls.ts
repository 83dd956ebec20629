import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

const get = remote('getFirstAccess', 'GET /api/f/provisioning/deviceConfig/{id}/firstAccess');
const open = remote('openFirstAccess', 'POST /api/f/provisioning/firstAccess/open');
const close = remote('closeFirstAccess', 'POST /api/f/provisioning/firstAccess/close');
const letIn = remote('letInPhones', 'POST /api/f/provisioning/firstAccess/letIn');
const waiting = remote('listWaitingPhones', 'GET /api/f/provisioning/firstAccess/list');

export type WaitingPhone = RouteOutput<typeof waiting>[number];

/** No live change tells of a phone that asks, so it is asked again while it is shown. */
const againMs = 15_000;
export const firstAccessKey = ['device', 'firstAccess'];

export const firstAccessQuery = (id: string) =>
  queryOptions({
    queryKey: [...firstAccessKey, id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    refetchInterval: againMs,
  });
export const waitingPhonesQuery = () =>
  queryOptions({
    queryKey: [...firstAccessKey, 'waiting'],
    queryFn: ({ signal }) => call(waiting, {}, { signal }),
    refetchInterval: againMs,
    staleTime: 0,
  });

/** Most devices of one call. */
const most = 1_000;
export async function openAccess(ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += most) await call(open, { body: { ids: ids.slice(at, at + most) } });
}
export const closeAccess = (id: string) => call(close, { body: { ids: [id] } });
export const letPhonesIn = (askIds: readonly string[]) => call(letIn, { body: { askIds: [...askIds] } });
