import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { siteOverlap } from '../org/site.routes.ts';

const segments = z.string().max(4096);

/** What a device can be put into and filtered by, for whoever sees devices. */
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
 * What a site with these segments would get (SITE-01): devices of other sites and of none, whose longest matching
 * prefix is one of them, and the segments of other sites that they overlap. Without `siteId` of a site that is not
 * there yet.
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
 * Named devices, or those that {@link previewSite} names for the same segments; `siteId` null takes named ones out of
 * their site.
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
  // Where those that moved were before, so that it can be taken back.
  response: z.object({
    placed: z.number().int(),
    from: z.array(z.object({ siteId: id.nullable(), ids: z.array(id) })),
  }),
  errors: ['site.segmentFormat'],
});
