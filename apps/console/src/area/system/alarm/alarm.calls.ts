import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listAlarms = remote('listAlarms', 'GET /api/f/notification/alarm/list');
const listEpisodes = remote('listAlarmEpisodes', 'GET /api/f/notification/alarm/{id}/episodes');
export const acknowledgeAlarms = remote('acknowledgeAlarms', 'POST /api/f/notification/alarm/acknowledge');

export type AlarmRecord = RouteOutput<typeof listAlarms>['records'][number];

export const episodesAtOnce = 20;
export const episodesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['message', 'episodes', id, page],
    queryFn: ({ signal }) => call(listEpisodes, { params: { id }, query: { page, limit: episodesAtOnce } }, { signal }),
    placeholderData: keepPreviousData,
  });

const listRules = remote('listAlarmRules', 'GET /api/f/notification/alarm/rule');
export const editAlarmRule = remote('editAlarmRule', 'PUT /api/f/notification/alarm/rule');
const listSilences = remote('listAlarmSilences', 'GET /api/f/notification/alarm/silence');
export const addAlarmSilence = remote('addAlarmSilence', 'POST /api/f/notification/alarm/silence');
export const endAlarmSilence = remote('endAlarmSilence', 'DELETE /api/f/notification/alarm/silence');

export const rulesQuery = queryOptions({
  queryKey: ['message', 'rules'],
  queryFn: ({ signal }) => call(listRules, {}, { signal }),
});
export type AlarmSilence = RouteOutput<typeof listSilences>[number];
export const silencesQuery = queryOptions({
  queryKey: ['message', 'silences'],
  queryFn: ({ signal }) => call(listSilences, {}, { signal }),
});
