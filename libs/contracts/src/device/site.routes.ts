import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { siteOverlap } from '../org/site.routes.ts';

const segments = z.string().max(4096);

/** Lists the sites that a device can be put into and filtered by, for users who see devices. */
export const listSiteNames = route({
  method: 'GET',
  path: '/api/f/device/site',
  summary: 'Sites to choose from',
  permission: 'device',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string(), path: z.array(z.string()) })),
  errors: [],
});

/**
 * Shows what a site with these segments would get (SITE-01): devices of other sites or without one whose longest
 * matching prefix is one of them, and overlapping segments of other sites. Omit `siteId` for a site that does not exist
 * yet.
 */
export const previewSite = route({
  method: 'GET',
  path: '/api/f/device/site/preview',
  summary: 'Devices that the segments of a site would move',
  permission: 'site',
  audit: 'none',
  query: z.object({ siteId: id.optional(), segments: segments.default('') }),
  response: z.object({
    total: z.number().int(),
    devices: z.array(
      z.object({
        id,
        name: z.string(),
        mac: z.string(),
        ip: z.string(),
        segment: z.string(),
        from: z.string().nullable(),
      }),
    ),
    overlaps: z.array(siteOverlap),
  }),
  errors: ['site.segmentFormat'],
});

/**
 * Puts named devices into a site, or those that {@link previewSite} lists for the same segments; `siteId` null removes
 * named ones from their site.
 */
export const placeDevices = route({
  method: 'POST',
  path: '/api/f/device/site/place',
  summary: 'Put devices into a site',
  permission: 'editDevice',
  audit: 'device.place',
  body: z.union([
    z.strictObject({ siteId: id.nullable(), ids: z.array(id).min(1).max(1000) }),
    z.strictObject({ siteId: id, segments }),
  ]),
  // The previous sites of moved devices, so that the move can be undone.
  response: z.object({
    placed: z.number().int(),
    from: z.array(z.object({ siteId: id.nullable(), ids: z.array(id) })),
  }),
  errors: ['site.segmentFormat'],
});
