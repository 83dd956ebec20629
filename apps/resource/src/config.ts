import { z } from 'zod';
import { companyKeyConfig, defineConfig, secretKey, secretText, whole } from '@carillon/service';
import { firmwareMaximum } from '@carillon/contracts/constants';

/** Parses `.bin, IMG` as `['.bin', '.img']`. */
const extensions = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(/[\s,;]+/).filter((one) => one !== ''))
    .transform((list) => [...new Set(list.map((one) => `.${one.toLowerCase().replace(/^\./, '')}`))])
    .refine((list) => list.length > 0 && list.every((one) => /^\.[a-z0-9]{1,16}$/.test(one)), 'names no extensions');

/** A seed must have exactly this length: a longer key would become another one when it is cut. */
const seed = () => secretKey().refine((key) => key.length === 32, 'must be 32 random bytes, in base64url');

export const resourceConfig = defineConfig({
  dataKey: secretKey().describe(
    'Key that wraps the keys under which configuration files are stored: 32 random bytes or more in base64url, the one of provisioning. Without it they are lost.',
  ),
  ...companyKeyConfig.shape,
  signingKey: seed().describe(
    'Seed of the Ed25519 key that signs firmware: 32 random bytes in base64url. Devices keep its public key; without it they need the next one from a person.',
  ),
  signingKeyBefore: seed()
    .optional()
    .describe('The signing key before this one, after a change of it: it says to devices that this one follows.'),
  filesFolder: z
    .string()
    .min(1)
    .describe(
      'Folder that uploaded files are kept in: the same one for all processes of this service. Unused with a bucket.',
    ),
  s3Bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is no name of a bucket')
    .optional()
    .describe(
      'Bucket of an S3 store that uploaded files are kept in instead of the folder. It belongs to this installation alone: what the database does not know is swept away.',
    ),
  s3Endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address of the S3 store, where it is not that of Amazon: https://HOST:PORT.'),
  s3Region: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  s3KeyId: z.string().min(1).optional().describe('Id of the access key to the bucket.'),
  s3KeySecret: secretText().optional().describe('Secret of the access key to the bucket.'),
  s3PathStyle: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'The bucket stands in the path of addresses and not in the name of the host: most stores but Amazon’s want true.',
    ),
  resourceExtensions: extensions(
    'bmp, png, z, zip, bin, xml, vcf, csv, 7z, pem, crt, key, ovpn, tar, gz, der, txt, cfg, wav, apk',
  ).describe('Endings of the files that may be uploaded as resource files, separated by commas.'),
  firmwareExtensions: extensions('bin, z, zip, img').describe(
    'Endings of the files that may be uploaded as firmware, separated by commas.',
  ),
  configExtensions: extensions('cfg, txt, xml, bin').describe(
    'Endings of the files that may be uploaded as configuration files, separated by commas.',
  ),
  firmwareNoticeMs: whole(2_000, 10).describe('How often firmware is looked for whose notice is due.'),
  deltaMs: whole(2_000, 10, 10_000).describe(
    'How often it is told how far a differential package is that is being made, ms; whoever makes it holds it by that.',
  ),
  uploadMaximum: whole(firmwareMaximum, 1, firmwareMaximum).describe('Most bytes of one uploaded file.'),
  uploadHours: whole(24, 1, 720).describe('So long an upload that nobody ended or saved is kept.'),
  uploadReserve: whole(268_435_456).describe(
    'Bytes of the disk that uploads leave free: one that would take them is refused.',
  ),
  storageMegabytes: whole(51_200).describe(
    'MB that the files of one company may take, with those that are being uploaded; 0: no limit.',
  ),
  downloads: whole(10_000, 1).describe('Downloads of devices at once; a further one is asked to come again.'),
  downloadMbit: whole(0).describe(
    'Most bandwidth of all downloads by devices, Mbit a second, of all processes of this service together; 0 is no limit. The same for each process.',
  ),
  downloadIdleSeconds: whole(60, 1, 3_600).describe('A download is closed of which nothing is taken for so long.'),
  downloadCheckMs: whole(2_000, 10).describe(
    'How often it is asked whether the downloads that go on still may: their task was not stopped, their device is still theirs.',
  ),
  sweepMs: whole(60_000, 10).describe('How often files are looked for that nobody needs any more.'),
});
export type ResourceConfig = z.output<typeof resourceConfig>;
