import { z } from 'zod';
import { choice, filters, moment, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { localMinute } from './task-timing.schemas.ts';

export const freezeStates = ['planned', 'inForce', 'over'] as const;
export type FreezeState = (typeof freezeStates)[number];

const fields = {
  name: z.string().trim().min(1).max(64),
  /** Empty: the whole company. A site includes the sites below it. */
  siteIds: z.array(id).max(200),
  begin: localMinute,
  end: localMinute,
  /** Time zone of both (IANA). */
  timeZone: z.string().min(1).max(64),
};

export const freezePeriodRecord = z
  .object({
    id,
    ...fields,
    /** Those of `siteIds` that still exist. */
    sites: z.array(z.object({ id, name: z.string() })),
    /** `begin` and `end` as instants: for a minute that occurs twice the first, and the last. */
    beginsAt: z.string(),
    endsAt: z.string(),
    state: z.enum(freezeStates),
    updatedAt: z.string(),
  })
  .meta({ id: 'FreezePeriod' });
const errors = [
  'freezePeriod.order',
  'freezePeriod.zoneUnknown',
  'freezePeriod.siteUnknown',
  'freezePeriod.tooMany',
  'freezePeriod.narrowed',
] as const;

export const listFreezePeriods = route({
  method: 'GET',
  path: '/api/f/task/freezePeriod/list',
  summary: 'Freeze periods, a page at a time',
  permission: 'freezePeriod',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      state: choice(z.enum(freezeStates)),
      beginsAt: moment,
      endsAt: moment,
      updatedAt: moment,
    }),
    ...pageQuery,
    /** By default the period that ends last comes first. */
    sort: sortBy(['name', 'state', 'beginsAt', 'endsAt', 'updatedAt']),
  }),
  response: listOf(freezePeriodRecord),
  errors: [],
});

export const getFreezePeriod = route({
  method: 'GET',
  path: '/api/f/task/freezePeriod/{id}',
  summary: 'One freeze period',
  permission: 'freezePeriod',
  audit: 'none',
  params: z.object({ id }),
  response: freezePeriodRecord,
  errors: [],
});

/** Adds a period. While it is in force, no command that changes a device is sent; commands already sent continue. */
export const addFreezePeriod = route({
  method: 'POST',
  path: '/api/f/task/freezePeriod',
  summary: 'Add a freeze period',
  permission: 'addFreezePeriod',
  audit: 'freezePeriod.add',
  status: 201,
  body: z.strictObject(fields),
  response: freezePeriodRecord,
  errors,
});

export const editFreezePeriod = route({
  method: 'PUT',
  path: '/api/f/task/freezePeriod',
  summary: 'Edit a freeze period',
  permission: 'editFreezePeriod',
  audit: 'freezePeriod.edit',
  body: z.strictObject({ id, ...fields }),
  response: freezePeriodRecord,
  errors,
});

/** Deletes a period. Commands that waited for its end are sent at once. */
export const deleteFreezePeriod = route({
  method: 'DELETE',
  path: '/api/f/task/freezePeriod',
  summary: 'Delete a freeze period',
  permission: 'deleteFreezePeriod',
  audit: 'freezePeriod.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['freezePeriod.narrowed'],
});

export const restoreFreezePeriods = route({
  method: 'POST',
  path: '/api/f/task/freezePeriod/restore',
  summary: 'Take back a deletion of freeze periods',
  permission: 'deleteFreezePeriod',
  audit: 'freezePeriod.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'freezePeriod.tooMany', 'freezePeriod.narrowed'],
});
