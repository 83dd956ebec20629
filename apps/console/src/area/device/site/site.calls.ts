import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import { waitUntilKnown } from '../../../kit/api/wait-until-known.ts';

export const listSites = remote('listSites', 'GET /api/f/org/site/list');
const names = remote('listSiteNames', 'GET /api/f/device/site');
const preview = remote('previewSite', 'GET /api/f/device/site/preview');
export const addSite = remote('addSite', 'POST /api/f/org/site');
export const editSite = remote('editSite', 'PUT /api/f/org/site');
export const deleteSite = remote('deleteSite', 'DELETE /api/f/org/site');
export const restoreSites = remote('restoreSites', 'POST /api/f/org/site/restore');
export const placeDevices = remote('placeDevices', 'POST /api/f/device/site/place');

export type SitePreview = RouteOutput<typeof preview>;
export type Site = RouteOutput<typeof listSites>['records'][number];

/**
 * Also refetched when devices change and when a dialog opens: the device service learns of a new site a moment later,
 * so an earlier result may lack it.
 */
export const siteNamesQuery = () =>
  queryOptions({ queryKey: ['device', 'sites'], queryFn: ({ signal }) => call(names, {}, { signal }), staleTime: 0 });
export const sitePreviewQuery = (siteId: string | undefined, segments: string) =>
  queryOptions({
    queryKey: ['device', 'sitePreview', siteId, segments],
    queryFn: ({ signal }) => call(preview, { query: { ...(siteId ? { siteId } : {}), segments } }, { signal }),
    retry: false,
    placeholderData: keepPreviousData,
  });

/** Resolves when the device service knows the site. */
export const siteKnown = (id: string): Promise<void> => waitUntilKnown(id, () => call(names));
