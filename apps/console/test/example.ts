import { nouns, type NounDefinition, type RouteDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { eventually } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';
import type { z } from 'zod';

/** Uploads a file for an example of a noun. */
export async function uploadOf(
  noun: Pick<NounDefinition, 'name'>,
  { name, text }: { name: string; text: string },
  platform: Platform,
): Promise<string> {
  const { path } = allRoutes.find(
    ({ route }) => route.method === 'POST' && route.audit === `${noun.name}.upload`,
  )!.route;
  const headers = { 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(platform.ready.url + path, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(Buffer.byteLength(text)),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: text,
  });
  if (sent.status !== 204) throw new Error(`the upload of ${name} was answered ${sent.status}`);
  return at.split('/').at(-1)!;
}

type Call = (route: RouteDefinition, input: object) => Promise<unknown>;

export interface Example {
  id: string;
  remove: () => Promise<void>;
}
/** Creates an example of a noun with what it needs, so that its list has a row; `remove` deletes them. */
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
  const body = {
    ...noun.example,
    ...Object.fromEntries(needed.map(({ field, id }) => [field, id])),
    ...(noun.upload
      ? {
          [noun.upload.field]: noun.upload.several
            ? [await uploadOf(noun, noun.upload, platform)]
            : await uploadOf(noun, noun.upload, platform),
        }
      : {}),
  };
  const add = () => call(routeTo('add'), { body });
  // Its service receives what it needs a moment later.
  const { id } = (await (noun.needs ? eventually(add) : add())) as { id: string };
  const deletion = routeTo('delete');
  const place = deletion.query ? 'query' : 'body';
  const named = 'ids' in (deletion[place] as z.ZodObject).shape ? { ids: [id] } : { id };
  return {
    id,
    remove: async () => {
      // A member may just have been deleted, which its service receives a moment later.
      await eventually(() => call(deletion, { [place]: named }));
      for (const other of needed) await other.remove();
    },
  };
}
