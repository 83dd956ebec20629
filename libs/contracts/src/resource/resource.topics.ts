import { z } from 'zod';
import { resourceTypes } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';
import { deltaFormats } from '../link/link.schemas.ts';
import { firmwarePaths } from './firmware.routes.ts';

/** A file that devices load: what they check it by. */
const deviceFile = {
  /** Of the stored bytes. */
  fileId: id,
  fileName: z.string(),
  size: z.number().int(),
  sha256: z.string(),
};
const signedFile = {
  ...deviceFile,
  /** Ed25519 over version, size and checksum, as docs/device-link.md has it. */
  signature: z.base64url(),
};

/** Firmware that tasks bring to devices: a company's own, or official firmware, which has no company. */
export const firmwareState = topic({
  name: 'resource.firmware.v1',
  writers: ['resource'],
  readers: ['task'],
  key: 'firmware id',
  partitions: 3,
  cleanup: 'compact',
  events: {
    firmware: z.object({
      id,
      path: z.enum(firmwarePaths),
      name: z.string(),
      version: z.string(),
      models: z.array(z.string()),
      /** What a device must have at least to upgrade to it; null: any. */
      least: z.string().nullable(),
      ...signedFile,
      /** Differential packages, by the version that each is for (STORE-02). */
      deltas: z.array(z.object({ from: z.string(), format: z.enum(deltaFormats).default('maker'), ...signedFile })),
      /** The public key that made the signatures, and what older keys say of it. */
      signedBy: z.base64url(),
      endorsements: z.array(z.object({ key: z.base64url(), signature: z.base64url() })),
    }),
  },
});

/** Configuration files that tasks bring to devices; what is in them goes over no bus. */
export const configFileState = topic({
  name: 'resource.configFile.v1',
  writers: ['resource'],
  readers: ['task'],
  key: 'configuration file id',
  partitions: 3,
  cleanup: 'compact',
  events: {
    configFile: z.object({
      id,
      name: z.string(),
      /** Rises by one with each other content. */
      version: z.number().int(),
      /** Models that it is for; none: any. */
      models: z.array(z.string()),
      ...deviceFile,
    }),
  },
});

/** Resource files that tasks bring to devices. */
export const resourceFileState = topic({
  name: 'resource.file.v1',
  writers: ['resource'],
  readers: ['task'],
  key: 'resource file id',
  partitions: 3,
  cleanup: 'compact',
  events: {
    resourceFile: z.object({
      id,
      name: z.string(),
      type: z.enum(resourceTypes),
      files: z.array(z.object(deviceFile)),
    }),
  },
});
