import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listFirmware = remote('listFirmware', 'GET /api/f/resource/firmware/list');
export const addFirmware = remote('addFirmware', 'POST /api/f/resource/firmware');
export const editFirmware = remote('editFirmware', 'PUT /api/f/resource/firmware');
export const deleteFirmware = remote('deleteFirmware', 'DELETE /api/f/resource/firmware');
export const restoreFirmware = remote('restoreFirmware', 'POST /api/f/resource/firmware/restore');
export const addOfficialFirmware = remote('addOfficialFirmware', 'POST /api/f/resource/officialFirmware');
export const editOfficialFirmware = remote('editOfficialFirmware', 'PUT /api/f/resource/officialFirmware');
export const deleteOfficialFirmware = remote('deleteOfficialFirmware', 'DELETE /api/f/resource/officialFirmware');
export const restoreOfficialFirmware = remote(
  'restoreOfficialFirmware',
  'POST /api/f/resource/officialFirmware/restore',
);
export const addFirmwareDelta = remote('addFirmwareDelta', 'POST /api/f/resource/firmware/delta');
export const makeFirmwareDelta = remote('makeFirmwareDelta', 'POST /api/f/resource/firmware/delta/make');
export const deleteFirmwareDelta = remote('deleteFirmwareDelta', 'DELETE /api/f/resource/firmware/delta');
export const addOfficialFirmwareDelta = remote(
  'addOfficialFirmwareDelta',
  'POST /api/f/resource/officialFirmware/delta',
);
export const makeOfficialFirmwareDelta = remote(
  'makeOfficialFirmwareDelta',
  'POST /api/f/resource/officialFirmware/delta/make',
);
export const deleteOfficialFirmwareDelta = remote(
  'deleteOfficialFirmwareDelta',
  'DELETE /api/f/resource/officialFirmware/delta',
);

export type Firmware = RouteOutput<typeof listFirmware>['records'][number];

export const restoreFirmwareDelta = remote('restoreFirmwareDelta', 'POST /api/f/resource/firmware/delta/restore');
export const restoreOfficialFirmwareDelta = remote(
  'restoreOfficialFirmwareDelta',
  'POST /api/f/resource/officialFirmware/delta/restore',
);

/** Firmware from which a differential package can be made: the newest matches. */
export const deltaSourcesQuery = (firmwareId: string, search: string) =>
  queryOptions({
    queryKey: ['firmware', 'sources', firmwareId, search],
    queryFn: ({ signal }) => {
      const query = {
        deltaFor: firmwareId,
        limit: 20,
        sort: '-updatedAt',
        ...(search === '' ? {} : { search }),
      } as const;
      return call(listFirmware, { query }, { signal });
    },
    placeholderData: keepPreviousData,
  });
