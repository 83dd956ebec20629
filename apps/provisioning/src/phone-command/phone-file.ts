import { z } from 'zod';
import { resourceTypes } from '@carillon/contracts/constants';
import type { PhoneFile } from '../vendor/file-setting.ts';

const firmware = z
  .object({ url: z.url(), version: z.string() })
  .transform(({ url, version }): PhoneFile => ({ kind: 'firmware', url, version }));
const resource = z
  .object({ kind: z.enum(resourceTypes), files: z.tuple([z.object({ url: z.url() })]) })
  .transform(({ kind, files }): PhoneFile => ({ kind, url: files[0].url, version: null }));
const argsOf: Readonly<Record<string, z.ZodType<PhoneFile>>> = { firmwareUpgrade: firmware, resourceUpgrade: resource };

/** Returns the file that a command tells a phone to load; null for a command without one, or with several. */
export const fileIn = (action: string, args: Readonly<Record<string, unknown>>): PhoneFile | null =>
  argsOf[action]?.safeParse(args).data ?? null;
