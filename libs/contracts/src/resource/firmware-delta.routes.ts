import { z } from 'zod';
import { id } from '../define/list.ts';
import { restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { uploadRoutes } from '../define/upload.ts';
import { firmwareRecord, firmwareVersion } from './firmware.routes.ts';

const deltaBody = z.strictObject({
  firmwareId: id,
  /** The version that the package turns into this firmware. */
  from: firmwareVersion,
  upload: id,
});
const deltaQuery = z.object({ firmwareId: id, from: firmwareVersion });
const deltaErrors = [
  'firmware.deltaTaken',
  'firmware.deltaSame',
  'firmware.deltaLimit',
  'upload.incomplete',
  'firmware.narrowed',
] as const;

export const addFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/firmware/delta',
  summary: 'Add a differential package to firmware of the company, of a file that the caller has uploaded',
  permission: 'editFirmware',
  audit: 'firmware.deltaAdd',
  status: 201,
  body: deltaBody,
  response: firmwareRecord,
  errors: deltaErrors,
});

const makeBody = z.strictObject({
  firmwareId: id,
  /** The firmware that the package starts from. */
  fromId: id,
});
const makeErrors = [
  'firmware.deltaTaken',
  'firmware.deltaSame',
  'firmware.deltaLimit',
  'firmware.deltaModels',
  'firmware.deltaQueue',
  'firmware.deltaOwn',
  'firmware.deltaRuns',
  'firmware.narrowed',
] as const;

export const makeFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/firmware/delta/make',
  summary: 'Have a differential package made that makes firmware of the company of another one',
  permission: 'editFirmware',
  audit: 'firmware.deltaMake',
  status: 202,
  body: makeBody,
  response: firmwareRecord,
  errors: makeErrors,
});

export const deleteFirmwareDelta = route({
  method: 'DELETE',
  path: '/api/f/resource/firmware/delta',
  summary: 'Delete a differential package of firmware of the company, or give up the making of one',
  permission: 'editFirmware',
  audit: 'firmware.deltaDelete',
  query: deltaQuery,
  response: firmwareRecord,
  errors: ['firmware.narrowed'],
});

const restoreDeltaBody = z.strictObject({ firmwareId: id, from: firmwareVersion });
const restoreDeltaErrors = [
  'common.restoreOver',
  'firmware.deltaTaken',
  'firmware.deltaSame',
  'firmware.deltaLimit',
  'firmware.deltaRuns',
  'firmware.narrowed',
] as const;

export const restoreFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/firmware/delta/restore',
  summary: 'Take back a deletion of a differential package of firmware of the company',
  permission: 'editFirmware',
  audit: 'firmware.deltaRestore',
  body: restoreDeltaBody,
  response: restoreDone,
  errors: restoreDeltaErrors,
});

export const addOfficialFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/officialFirmware/delta',
  summary: 'Add a differential package to official firmware, of a file that the caller has uploaded',
  permission: 'officialFirmware',
  audit: 'officialFirmware.deltaAdd',
  status: 201,
  body: deltaBody,
  response: firmwareRecord,
  errors: deltaErrors,
});

export const makeOfficialFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/officialFirmware/delta/make',
  summary: 'Have a differential package made that makes official firmware of another one',
  permission: 'officialFirmware',
  audit: 'officialFirmware.deltaMake',
  status: 202,
  body: makeBody,
  response: firmwareRecord,
  errors: makeErrors,
});

export const deleteOfficialFirmwareDelta = route({
  method: 'DELETE',
  path: '/api/f/resource/officialFirmware/delta',
  summary: 'Delete a differential package of official firmware, or give up the making of one',
  permission: 'officialFirmware',
  audit: 'officialFirmware.deltaDelete',
  query: deltaQuery,
  response: firmwareRecord,
  errors: ['firmware.narrowed'],
});

export const restoreOfficialFirmwareDelta = route({
  method: 'POST',
  path: '/api/f/resource/officialFirmware/delta/restore',
  summary: 'Take back a deletion of a differential package of official firmware',
  permission: 'officialFirmware',
  audit: 'officialFirmware.deltaRestore',
  body: restoreDeltaBody,
  response: restoreDone,
  errors: restoreDeltaErrors,
});

export const firmwareDeltaUpload = uploadRoutes({
  name: 'firmwareDelta',
  place: 'resource/firmwareDelta/upload',
  permission: 'editFirmware',
  title: 'differential packages of firmware',
});
export const {
  rules: getFirmwareDeltaUploadRules,
  add: addFirmwareDeltaUpload,
  offset: getFirmwareDeltaUploadOffset,
  part: addFirmwareDeltaUploadPart,
  remove: deleteFirmwareDeltaUpload,
} = firmwareDeltaUpload;
