import { nouns, type NounDefinition, type RouteDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { eventually } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';
import type { z } from 'zod';

type Call = (route: RouteDefinition, input: object) => Promise<unknown>;

export interface Example {
  id: string;
  remove: () => Promise<void>;
}
/** Makes one of a noun, with what it needs, so that its list has a row; `remove` deletes them. */
export async function exampleOf(noun: NounDefinition, platform: Platform): Promise<Example> {
  const call = platform.call as Call;
  const routeTo = (verb: string) => allRoutes.find(({ route }) => route.audit === `${noun.name}.${verb}`)!.route;
  const needed = await Promise.all(
    Object.entries(noun.needs ?? {}).map(async ([field, name]) => {
      const other: NounDefinition = nouns.find((n) => n.name === name)!;
      return {
        field,
        ...(await exampleOf({ ...other, example: { ...other.example, name: `For ${noun.name}` } }, platform)),
      };
    }),
  );
  const body = { ...noun.example, ...Object.fromEntries(needed.map(({ field, id }) => [field, id])) };
  const { id } = (await call(routeTo('add'), { body })) as { id: string };
  const deletion = routeTo('delete');
  const place = deletion.query ? 'query' : 'body';
  const named = 'ids' in (deletion[place] as z.ZodObject).shape ? { ids: [id] } : { id };
  return {
    id,
    remove: async () => {
      // Whoever was in it may just have gone: its service hears of that a moment later.
      await eventually(() => call(deletion, { [place]: named }));
      for (const other of needed) await other.remove();
    },
  };
}
