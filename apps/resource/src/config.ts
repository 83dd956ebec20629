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
    'Key that encrypts the keys of stored configuration files: 32 random bytes or more in base64url, the same as for provisioning. Without it they are lost.',
  ),
  ...companyKeyConfig.shape,
  signingKey: seed().describe(
    'Seed of the Ed25519 key that signs firmware: 32 random bytes in base64url. Devices store its public key. If it is lost, the next key must be entered in each device.',
  ),
  signingKeyBefore: seed()
    .optional()
    .describe('The earlier signing key, after a change. It proves to devices that the new key is genuine.'),
  filesFolder: z
    .string()
    .min(1)
    .describe('Folder of uploaded files, shared by all processes of this service. Unused with a bucket.'),
  s3Bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is no name of a bucket')
    .optional()
    .describe(
      'Bucket of an S3 store for uploaded files, instead of the folder. It belongs to this installation only: files that the database does not know are deleted.',
    ),
  s3Endpoint: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the S3 store, if it is not Amazon's: https://HOST:PORT."),
  s3Region: z.string().min(1).default('us-east-1').describe('Region of the bucket.'),
  s3KeyId: z.string().min(1).optional().describe('Id of the access key to the bucket.'),
  s3KeySecret: secretText().optional().describe('Secret of the access key to the bucket.'),
  s3PathStyle: z
    .enum(['true', 'false'])
    .default('false')
    .describe(
      'Whether addresses have the bucket in their path instead of in the host name. Most stores other than Amazon’s need true.',
    ),
  resourceExtensions: extensions(
    'bmp, png, z, zip, bin, xml, vcf, csv, 7z, pem, crt, key, ovpn, tar, gz, der, txt, cfg, wav, apk',
  ).describe('Extensions of files that may be uploaded as resource files, separated by commas.'),
  firmwareExtensions: extensions('bin, z, zip, img').describe(
    'Extensions of files that may be uploaded as firmware, separated by commas.',
  ),
  configExtensions: extensions('cfg, txt, xml, bin').describe(
    'Extensions of files that may be uploaded as configuration files, separated by commas.',
  ),
  firmwareNoticeMs: whole(2_000, 10).describe('How often due notices about firmware are sent.'),
  deltaMs: whole(2_000, 10, 10_000).describe(
    'How often the progress of a differential package is stored, ms. This also keeps the lease of the process that makes it.',
  ),
  uploadMaximum: whole(firmwareMaximum, 1, firmwareMaximum).describe('Most bytes of an uploaded file.'),
  uploadHours: whole(24, 1, 720).describe('Hours for which an unfinished or unsaved upload is kept.'),
  uploadReserve: whole(268_435_456).describe(
    'Bytes of the disk that uploads must leave free. Larger uploads are refused.',
  ),
  storageMegabytes: whole(51_200).describe(
    'Most MB of all files of one company, including those that are being uploaded. 0 is no limit.',
  ),
  downloads: whole(10_000, 1).describe('Most downloads of devices at the same time. Further ones are asked to retry.'),
  downloadMbit: whole(0).describe(
    'Highest bandwidth of all downloads by devices through all processes of this service, Mbit/s. 0 is no limit. Use the same value for each process.',
  ),
  downloadIdleSeconds: whole(60, 1, 3_600).describe('A download is closed after this time without progress.'),
  downloadCheckMs: whole(2_000, 10).describe(
    'How often running downloads are checked: whether their task was stopped, or their device has left.',
  ),
  sweepMs: whole(60_000, 10).describe('How often unused files are deleted.'),
});
export type ResourceConfig = z.output<typeof resourceConfig>;
