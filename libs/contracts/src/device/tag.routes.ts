import { z } from 'zod';
import { route } from '../define/route.ts';
import { listedTarget, tagKey, tagValue } from './device.schemas.ts';

/** Lists tags in use, for users who see devices: keys with their values, most frequent first. */
export const listTags = route({
  method: 'GET',
  path: '/api/f/device/tag',
  summary: 'Tags to choose from',
  permission: 'device',
  audit: 'none',
  response: z.array(z.object({ key: z.string(), value: z.string(), devices: z.number().int() })),
  errors: [],
});

/** Sets the values of the keys in `set`, deletes the keys in `remove`, and keeps all others. */
export const tagDevices = route({
  method: 'POST',
  path: '/api/f/device/tag',
  summary: 'Tag devices, or remove tags from them',
  permission: 'editDevice',
  audit: 'device.tag',
  bodyLimit: 1_048_576,
  body: z.strictObject({
    target: listedTarget,
    set: z.array(z.strictObject({ key: tagKey, value: tagValue })).max(20),
    remove: z.array(tagKey).max(20),
  }),
  response: z.object({ changed: z.number().int() }),
  errors: ['device.tooManyTags'],
});
