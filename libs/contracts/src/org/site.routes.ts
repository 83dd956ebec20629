import { z } from 'zod';
import { siteMbitMaximum } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { choice, filters, flag, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';

/** A segment of this site that overlaps one of another site; the longer prefix wins. */
export const siteOverlap = z.object({ segment: z.string(), siteId: id, site: z.string(), other: z.string() });

export const siteRecord = z
  .object({
    id,
    parentId: id.nullable(),
    name: z.string(),
    description: z.string(),
    segments: z.array(z.string()),
    /** New devices whose address is in the site are assigned at their first contact. */
    autoAssign: z.boolean(),
    /** Mbit/s that the downloads of its devices share; null: the limit of the nearest parent site that has one. */
    downloadMbit: z.number().int().nullable(),
    /** Time zone of the place (IANA); null: that of the company. */
    timeZone: z.string().nullable(),
    /** Names from the root of the tree to this site. */
    path: z.array(z.string()),
    overlaps: z.array(siteOverlap),
    updatedAt: z.string(),
  })
  .meta({ id: 'Site' });

/** `segments` as in the spec: comma-separated CIDR. */
const fields = {
  name: z.string().trim().min(1).max(64),
  parentId: id.nullable(),
  description: z.string().trim().max(256),
  segments: z.string().max(4096),
  autoAssign: z.boolean(),
  /** Absent: an edit keeps the current value. */
  downloadMbit: z.number().int().min(1).max(siteMbitMaximum).nullable().optional(),
  /** Absent: an edit keeps the current value. */
  timeZone: z.string().min(1).max(64).nullable().optional(),
};

/**
 * Lists sites in tree order, each below its parent (SITE-01). `search` also finds a site by the address of a device.
 */
export const listSites = route({
  method: 'GET',
  path: '/api/f/org/site/list',
  summary: 'Sites in the order of their tree',
  permission: 'site',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      description: orEmpty(text(256)),
      parentId: orEmpty(choice(id)),
      autoAssign: flag,
      timeZone: orEmpty(text(64)),
      updatedAt: moment,
    }),
    ...pageQuery,
    /** By default in tree order. */
    sort: sortBy(['name', 'autoAssign', 'timeZone', 'description', 'updatedAt']),
  }),
  response: listOf(siteRecord),
  errors: [],
});

export const getSite = route({
  method: 'GET',
  path: '/api/f/org/site/{id}',
  summary: 'One site',
  permission: 'site',
  audit: 'none',
  params: z.object({ id }),
  response: siteRecord,
  errors: [],
});

export const addSite = route({
  method: 'POST',
  path: '/api/f/org/site',
  summary: 'Add a site',
  permission: 'addSite',
  audit: 'site.add',
  status: 201,
  body: z.strictObject(fields),
  response: siteRecord,
  errors: ['site.segmentFormat', 'site.segmentTaken', 'site.nameTaken', 'site.zoneUnknown', 'site.narrowed'],
});

export const editSite = route({
  method: 'PUT',
  path: '/api/f/org/site',
  summary: 'Edit a site',
  permission: 'editSite',
  audit: 'site.edit',
  body: z.strictObject({ id, ...fields }),
  response: siteRecord,
  errors: [
    'site.segmentFormat',
    'site.segmentTaken',
    'site.nameTaken',
    'site.zoneUnknown',
    'site.cycle',
    'site.narrowed',
  ],
});

/** Deletes a site. Its devices then have no site. */
export const deleteSite = route({
  method: 'DELETE',
  path: '/api/f/org/site',
  summary: 'Delete a site without sites below it',
  permission: 'deleteSite',
  audit: 'site.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['site.notEmpty', 'site.narrowed'],
});

/**
 * Restores sites with their segments, at their place or at the root when the parent is gone; their devices return
 * unless they were moved elsewhere since.
 */
export const restoreSites = route({
  method: 'POST',
  path: '/api/f/org/site/restore',
  summary: 'Take back a deletion of sites',
  permission: 'deleteSite',
  audit: 'site.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'site.nameTaken', 'site.segmentTaken', 'site.narrowed'],
});
