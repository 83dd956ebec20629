import { z } from 'zod';
import { siteMbitMaximum } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { choice, filters, flag, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';

/** A segment of this site that has addresses in common with one of another; of the two the longer prefix wins. */
export const siteOverlap = z.object({ segment: z.string(), siteId: id, site: z.string(), other: z.string() });

export const siteRecord = z
  .object({
    id,
    parentId: id.nullable(),
    name: z.string(),
    description: z.string(),
    segments: z.array(z.string()),
    /** New devices whose address lies in it are put there at their first contact. */
    autoAssign: z.boolean(),
    /** Mbit a second that the downloads of its devices share; null: as the nearest site above it that has a limit. */
    downloadMbit: z.number().int().nullable(),
    /** Names from the top of the tree down to this one. */
    path: z.array(z.string()),
    overlaps: z.array(siteOverlap),
    updatedAt: z.string(),
  })
  .meta({ id: 'Site' });

/** `segments` as the spec writes them: comma-separated CIDR. */
const fields = {
  name: z.string().trim().min(1).max(64),
  parentId: id.nullable(),
  description: z.string().trim().max(256),
  segments: z.string().max(4096),
  autoAssign: z.boolean(),
  /** Absent, an edit leaves it as it is. */
  downloadMbit: z.number().int().min(1).max(siteMbitMaximum).nullable().optional(),
};

/**
 * In the order of the tree, each site behind its parent (SITE-01). `search` finds a site by the address of a device
 * too.
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
      updatedAt: moment,
    }),
    ...pageQuery,
    /** Without one, as the tree has them. */
    sort: sortBy(['name', 'autoAssign', 'description', 'updatedAt']),
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
  errors: ['site.segmentFormat', 'site.segmentTaken', 'site.nameTaken', 'site.narrowed'],
});

export const editSite = route({
  method: 'PUT',
  path: '/api/f/org/site',
  summary: 'Edit a site',
  permission: 'editSite',
  audit: 'site.edit',
  body: z.strictObject({ id, ...fields }),
  response: siteRecord,
  errors: ['site.segmentFormat', 'site.segmentTaken', 'site.nameTaken', 'site.cycle', 'site.narrowed'],
});

/** Its devices are without a site then. */
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
 * With its segments, at its place or, when what it lay in is gone, at the top; its devices return unless somebody has
 * put them elsewhere meanwhile.
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
