import { z } from 'zod';
import { macFileBodyLimit, macFiles } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { route } from '../define/route.ts';

/**
 * Takes the settings of single devices from text files that are named by MAC (CFG-02). Each file replaces the values of
 * the device's own template, or adds one. A refused file changes nothing and does not affect the others; the response
 * keeps the order of the files.
 */
export const uploadMacFiles = route({
  method: 'POST',
  path: '/api/f/provisioning/macFile',
  summary: 'Upload settings of devices, one text file named by MAC for each',
  permission: 'addConfigTemplate',
  audit: 'configTemplate.macFile',
  bodyLimit: macFileBodyLimit,
  body: z.strictObject({
    files: z
      .array(z.strictObject({ name: z.string().max(255), text: z.string() }))
      .min(1)
      .max(macFiles),
  }),
  response: z.object({
    results: z.array(
      z.object({
        name: z.string(),
        deviceId: id.nullable(),
        deviceName: z.string().nullable(),
        /** Number of settings in the file. */
        settings: z.number().int(),
        /** False when the device's own template already had these values. */
        isChanged: z.boolean(),
        /** Why the file was refused: error key, and its text in the caller's language. */
        error: z.string().nullable(),
        msg: z.string().nullable(),
      }),
    ),
  }),
  errors: ['configTemplate.narrowed'],
});
