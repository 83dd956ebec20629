import type { ResourceConfig } from '../config.ts';
import { DiskDriver } from './disk-driver.ts';
import type { FileDriver } from './file-driver.ts';

/**
 * Returns the driver of the bucket if one is configured, otherwise that of the folder. Loads the S3 client on demand.
 */
export async function fileDriver(config: ResourceConfig): Promise<FileDriver> {
  const { s3Bucket, s3Endpoint, s3Region, s3KeyId, s3KeySecret, s3PathStyle } = config;
  if (s3Bucket === undefined) return new DiskDriver(config.filesFolder);
  if (s3KeyId === undefined || s3KeySecret === undefined)
    throw new Error('CARILLON_S3_BUCKET wants CARILLON_S3_KEY_ID and CARILLON_S3_KEY_SECRET');
  const { S3Driver } = await import('./s3-driver.ts');
  return new S3Driver({
    endpoint: s3Endpoint,
    region: s3Region,
    bucket: s3Bucket,
    keyId: s3KeyId,
    keySecret: s3KeySecret,
    pathStyle: s3PathStyle === 'true',
  });
}
