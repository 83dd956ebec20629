import { z } from 'zod';
import { resourceTypes } from '../define/constant.ts';
import { id } from '../define/list.ts';
import { topic } from '../define/topic.ts';
import { deltaFormats } from '../link/link.schemas.ts';
import { firmwarePaths } from './firmware.routes.ts';

/** A file that devices load, with the values by which they verify it. */
const deviceFile = {
  /** Id of the stored bytes. */
  fileId: id,
  fileName: z.string(),
  size: z.number().int(),
  sha256: z.string(),
};
const signedFile = {
  ...deviceFile,
  /** Ed25519 over version, size and checksum (docs/device-link.md). */
  signature: z.base64url(),
};

/** Firmware for tasks: a company's own, or official firmware, which has no company. */
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
      /** Lowest version that can upgrade to it; null: any. */
      least: z.string().nullable(),
      ...signedFile,
      /** Differential packages, by the version that each starts from (STORE-02). */
      deltas: z.array(z.object({ from: z.string(), format: z.enum(deltaFormats).default('maker'), ...signedFile })),
      /** The public key of the signatures, and endorsements of it by older keys. */
      signedBy: z.base64url(),
      endorsements: z.array(z.object({ key: z.base64url(), signature: z.base64url() })),
      /** Its stored bytes or signatures are not those that were uploaded: no task gives it to devices. */
      damaged: z.boolean().default(false),
    }),
  },
});

/** Configuration files for tasks; their content is not sent over the bus. */
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
      /** Rises by one with each new content. */
      version: z.number().int(),
      /** Models that it is for; empty: any. */
      models: z.array(z.string()),
      ...deviceFile,
    }),
  },
});

/** Resource files for tasks. */
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

/** How far phones over HTTP are with the files of their commands: they report nothing themselves. */
export const resourceDownload = topic({
  name: 'resource.download.v1',
  writers: ['resource'],
  readers: ['provisioning'],
  key: 'device id',
  partitions: 24,
  cleanup: 'delete',
  retentionMs: 86_400_000,
  events: {
    begun: z.object({ deviceId: id, commandId: id }),
    /** Every byte was sent, in whatever ranges: told once. */
    loaded: z.object({ deviceId: id, commandId: id }),
  },
});
