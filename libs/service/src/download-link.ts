import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { uuidText } from '@carillon/tenancy';

/**
 * What a link allows a device to load: one file, for one command of one task, while the device belongs to that owner.
 */
export interface DownloadGrant {
  companyId: string;
  deviceId: string;
  ownerEpoch: number;
  taskId: string;
  commandId: string;
  /** Id of the stored bytes. */
  fileId: string;
  /** Until when a download may begin, Unix time in milliseconds. */
  beginBy: number;
  /** Until when a started download may continue, Unix time in milliseconds. */
  until: number;
}

/** A grant as its link says it. */
export interface OpenedGrant extends DownloadGrant {
  /** The link is for a phone over HTTP. */
  isPhone: boolean;
}

const ids = ['companyId', 'deviceId', 'taskId', 'commandId', 'fileId'] as const;
/** The first byte: a link for a device on the MQTT link, or for a phone over HTTP. */
const versions = { device: 1, phone: 2 } as const;
const bodyBytes = 1 + 16 * ids.length + 4 * 3;
const macBytes = 16;

/** Derives the key of download links from the key that the services share. */
export const downloadKey = (contextKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', contextKey, '', 'carillon download link', 32));

const macOf = (key: Buffer, body: Buffer, fileName: string): Buffer =>
  createHmac('sha256', key).update(body).update(fileName).digest().subarray(0, macBytes);

/**
 * Returns the grant as a signed path segment. Times are kept in whole seconds. With a file name the link is for a phone
 * over HTTP, and holds under that name only: some phones know only the folder of their firmware, and ask there for
 * several names.
 */
export function downloadToken(key: Buffer, grant: DownloadGrant, fileName?: string): string {
  const body = Buffer.alloc(bodyBytes);
  body[0] = fileName === undefined ? versions.device : versions.phone;
  ids.forEach((name, n) => body.write(grant[name].replaceAll('-', ''), 1 + 16 * n, 'hex'));
  [grant.ownerEpoch, Math.floor(grant.beginBy / 1_000), Math.floor(grant.until / 1_000)].forEach((value, n) =>
    body.writeUInt32BE(value, 1 + 16 * ids.length + 4 * n),
  );
  return Buffer.concat([body, macOf(key, body, fileName ?? '')]).toString('base64url');
}

/**
 * Returns the grant of a link with this file name; undefined when it is forged or altered. The caller checks whether it
 * is still valid.
 */
export function readDownloadToken(key: Buffer, token: string, fileName = ''): OpenedGrant | undefined {
  const bytes = Buffer.from(token, 'base64url');
  const isPhone = bytes[0] === versions.phone;
  if (bytes.length !== bodyBytes + macBytes || (!isPhone && bytes[0] !== versions.device)) return undefined;
  // Accept one spelling only: a decoder ignores foreign characters and the last bits.
  if (bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, bodyBytes);
  if (!timingSafeEqual(macOf(key, body, isPhone ? fileName : ''), bytes.subarray(bodyBytes))) return undefined;
  const uuid = (n: number): string => uuidText(body.subarray(1 + 16 * n, 17 + 16 * n));
  const number = (n: number): number => body.readUInt32BE(1 + 16 * ids.length + 4 * n);
  const [companyId, deviceId, taskId, commandId, fileId] = ids.map((_, n) => uuid(n)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return {
    companyId,
    deviceId,
    taskId,
    commandId,
    fileId,
    ownerEpoch: number(0),
    beginBy: number(1) * 1_000,
    until: number(2) * 1_000,
    isPhone,
  };
}

/** Returns the path of a download: without a query, so that it can also be a prefix of a server's path. */
export const downloadPath = (token: string, fileName: string): string => `/f/${token}/${encodeURIComponent(fileName)}`;
