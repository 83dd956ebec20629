import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { previewTask as Preview, RouteCall, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const previewTask = remote('previewTask', 'POST /api/f/task/task/preview');

/** All of a task except its name. */
export type Order = NonNullable<RouteCall<typeof Preview>['body']>;
export type OrderPreview = RouteOutput<typeof Preview>;
type PreviewQuery = NonNullable<RouteCall<typeof Preview>['query']>;

export const previewQuery = (order: Order, query: PreviewQuery) =>
  queryOptions({
    queryKey: ['taskPreview', order, query],
    queryFn: ({ signal }) => call(previewTask, { body: order, query }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
