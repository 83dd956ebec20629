import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { agentNames, macInAgent } from '../vendor/agent.ts';
import { plainFile } from '../vendor/file-name.ts';
import { renderFile } from '../vendor/vendor.ts';
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
}

/** Returns the ETag of a device's file. It differs when the address in the file does. */
function etagOf({ version, revision }: LoadingDevice, folder?: string): string {
  const mark = folder && createHash('sha256').update(folder).digest('base64url').slice(0, 8);
  return `"${version}.${revision}${mark ? `.${mark}` : ''}"`;
}

/** Makes the file that a device asks for. */
@Injectable()
export class ConfigFiles {
  constructor(private readonly contents: ConfigContents) {}

  /**
   * Returns the maker's file, or for any device the text of the link, which has no maker; undefined for another name.
   * `folder` is the address of the device's files.
   */
  async of(one: LoadingDevice, name: string, userAgent: string, folder?: string): Promise<FoundFile | undefined> {
    const vendor = vendorOf(one, userAgent);
    const isPlain = name === plainFile(one.mac);
    if (!isPlain && name !== vendor?.fileOf(one.mac)) return undefined;
    const { desired, text } = await this.contents.open(one.contentId, one.sealed);
    return isPlain
      ? {
          one,
          file: { bytes: Buffer.from(text), contentType: plain, etag: etagOf(one) },
          isPhone: agentNames(userAgent, one.mac),
        }
      : {
          one,
          file: {
            bytes: Buffer.from(renderFile(vendor!, desired, one.revision, folder)),
            contentType: vendor!.contentType,
            etag: etagOf(one, folder),
          },
          isPhone: macInAgent(vendor!, userAgent) === one.mac,
        };
  }
}
