import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';

const word = z.string().max(128);
/** The state of a list: search text, filters, sort and page size, and its columns with order, widths and row height. */
const shown = {
  state: z.strictObject({
    search: word,
    limit: z.number().int().min(1).max(200),
    sort: z.string().max(64).optional(),
    filters: z.record(z.string().max(32), z.array(word).max(200)),
  }),
  layout: z.strictObject({
    shown: z.array(z.string().max(32)).max(64).optional(),
    order: z.array(z.string().max(32)).max(64).optional(),
    widths: z.record(z.string().max(32), z.number().int().min(1).max(2000)).optional(),
    comfortable: z.boolean().optional(),
  }),
};
const name = z.string().trim().min(1).max(64);
/** Name of the list, for example `device` or `message-device`. */
const list = z.string().regex(/^[A-Za-z-]{1,32}$/);

export const viewRecord = z
  .object({
    id,
    list: z.string(),
    name: z.string(),
    shared: z.boolean(),
    own: z.boolean(),
    owner: z.string(),
    ...shown,
  })
  .meta({ id: 'View' });

/** Lists the user's own views and those that others share. The viewer's permissions decide what a view shows. */
export const listViews = route({
  method: 'GET',
  path: '/api/f/org/view',
  summary: 'Saved views of a list',
  permission: 'session',
  visitors: true,
  audit: 'none',
  query: z.object({ list }),
  response: z.array(viewRecord),
  errors: [],
});

export const addView = route({
  method: 'POST',
  path: '/api/f/org/view',
  summary: 'Save a view of a list',
  permission: 'session',
  audit: 'view.add',
  status: 201,
  body: z.strictObject({ list, name, shared: z.boolean(), ...shown }),
  response: viewRecord,
  errors: ['view.nameTaken', 'view.tooMany'],
});

/** Edits one's own view: name, sharing or state. */
export const editView = route({
  method: 'PUT',
  path: '/api/f/org/view',
  summary: 'Edit a saved view',
  permission: 'session',
  audit: 'view.edit',
  body: z.strictObject({ id, name, shared: z.boolean(), ...shown }),
  response: viewRecord,
  errors: ['view.nameTaken'],
});

export const deleteView = route({
  method: 'DELETE',
  path: '/api/f/org/view',
  summary: 'Delete a saved view of one’s own',
  permission: 'session',
  audit: 'view.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: [],
});
