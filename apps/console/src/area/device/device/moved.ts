import { t } from '../../../kit/text/translate.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { placeDevices as Place, RouteOutput } from '@carillon/contracts';
import { done } from '../../../kit/part/done.ts';
import { call } from '../../../kit/api/call.ts';
import { count } from '../../../kit/text/text.ts';
import { placeDevices } from '../site/site.calls.ts';

/** The former sites of moved devices. */
export type Moved = RouteOutput<typeof Place>['from'][number];

/** Shows which device, or how many, moved to which site, with an undo. */
export async function confirmMove(
  client: QueryClient,
  place: string | undefined,
  moved: readonly Moved[],
  name: string | undefined,
  many: number,
): Promise<void> {
  const left = [...moved];
  const total = moved.reduce((sum, { ids }) => sum + ids.length, 0);
  const undo = {
    run: async () => {
      for (; left.length > 0; left.shift()) await call(placeDevices, { body: left[0]! });
      await client.invalidateQueries({ queryKey: ['device'] });
      return t('done.devicesBack', { count: total, number: count(total) });
    },
  };
  const values = { ...(place === undefined ? {} : { place }), ...(name === undefined ? { many } : { name }) };
  const what =
    name === undefined
      ? place === undefined
        ? 'devicesWithoutSite'
        : 'devicesAssigned'
      : place === undefined
        ? 'withoutSite'
        : 'assigned';
  await done(what, values, total > 0 ? undo : undefined);
}
