import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { compareVersions, type ConfigOutcome } from '@carillon/contracts';
import { agentNames, firmwareInAgent, isPhoneOf } from '../vendor/agent.ts';
import { settingFor, type FileSetting } from '../vendor/file-setting.ts';
import { isNameOf, plainFile } from '../vendor/file-name.ts';
import { renderFile, type Vendor } from '../vendor/vendor.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import type { ConfigAnswer, ConfigFile } from './config-answer.ts';
import { ConfigContents } from './config-content.ts';
import type { LoadingDevice } from './device-config.queries.ts';

export const plain = 'text/plain; charset=utf-8';

/** Who asks for a file. */
export interface Caller {
  userAgent: string;
  /** IP address. */
  address: string;
  /** The host that it asks for, as it names it. */
  host?: string | undefined;
  /** The MAC that its certificate names; undefined without one. */
  certificateMac?: string | undefined;
}

/** A refused request: an unknown path, or too many requests. */
export type RefusedLoad = 'unknown' | 'tooMany';

/** A file for a device. */
export interface GrantedLoad {
  file: ConfigFile;
  /** Records what became of the request, once its last byte was sent or the connection is gone. */
  ended(outcome: ConfigAnswer['outcome']): void;
}

/** A file of a device, and whether the phone itself asks for it. */
export interface FoundFile {
  one: LoadingDevice;
  file: ConfigFile;
  isPhone: boolean;
  /** The maker in whose syntax the file is; undefined for the text of the link. */
  vendor?: Vendor;
}

const markOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** Returns the ETag of a device's file. It differs when an address in the file does. */
const etagOf = ({ version, revision }: LoadingDevice, ...addresses: (string | undefined)[]): string =>
  `"${[version, revision, ...addresses.flatMap((one) => (one === undefined ? [] : markOf(one)))].join('.')}"`;

/** What a phone is to load, with its maker's way to say it. */
interface ToLoad {
  setting: FileSetting;
  url: string;
}

/**
 * Returns what the phone that asks is to load besides; undefined when it runs the version already, or has no address of
 * its own.
 */
function toLoadNow({ toLoad }: LoadingDevice, vendor: Vendor, userAgent: string): ToLoad | undefined {
  if (toLoad === null) return undefined;
  const isThere =
    toLoad.version !== null && compareVersions(firmwareInAgent(vendor, userAgent) ?? null, toLoad.version) === 0;
  const setting = isThere ? undefined : settingFor(vendor.loads, toLoad);
  return setting && { setting, url: toLoad.url };
}

/** Returns the file that tells any phone of a maker the name of its own, by that name; undefined for another name. */
export const masterFile = ({ master, contentType }: Vendor, name: string): ConfigFile | undefined =>
  master?.name === name
    ? { bytes: Buffer.from(master.text), contentType, etag: `"${markOf(master.text)}"` }
    : undefined;

/** Returns why the certificate of a request, or that it has none, opens nothing of a device. */
export const refusalOf = (
  { mac, needsCertificate }: Pick<LoadingDevice, 'mac' | 'needsCertificate'>,
  certificateMac: string | undefined,
): ConfigOutcome | undefined =>
  certificateMac === undefined
    ? needsCertificate
      ? 'noCertificate'
      : undefined
    : certificateMac === mac
      ? undefined
      : 'otherDevice';

/** Makes the file that a device asks for. */
@Injectable()
export class ConfigFiles {
  constructor(private readonly contents: ConfigContents) {}

  /**
   * Returns the maker's file or its master, or for any device the text of the link, which has no maker; undefined for
   * another name. `folder` is the address of the device's files.
   */
  async load(one: LoadingDevice, name: string, userAgent: string, folder?: string): Promise<FoundFile | undefined> {
    const vendor = vendorOf(one, userAgent);
    const master = vendor && masterFile(vendor, name);
    if (master) return { one, file: master, isPhone: false };
    const toLoad = vendor && folder !== undefined ? toLoadNow(one, vendor, userAgent) : undefined;
    const beside = toLoad?.setting.beside;
    if (beside?.nameOf(one.mac) === name) {
      const text = beside.textOf(toLoad!.url);
      const file = { bytes: Buffer.from(text), contentType: vendor!.contentType, etag: `"${markOf(text)}"` };
      return { one, file, isPhone: false };
    }
    const isPlain = name === plainFile(one.mac);
    if (!isPlain && !(vendor && isNameOf(vendor, name, one.mac))) return undefined;
    const { desired, text } = await this.contents.open(one.contentId, one.sealed);
    if (isPlain) {
      const file = { bytes: Buffer.from(text), contentType: plain, etag: etagOf(one) };
      return { one, file, isPhone: agentNames(userAgent, one.mac) };
    }
    const settings = toLoad?.setting.settings(new URL(toLoad.url), { folder: folder!, mac: one.mac });
    const file = {
      bytes: Buffer.from(renderFile(vendor!, desired, one.revision, folder, settings)),
      contentType: vendor!.contentType,
      etag: etagOf(one, folder, toLoad?.url),
    };
    return { one, file, isPhone: isPhoneOf(vendor!, userAgent, one.mac), vendor: vendor! };
  }
}
