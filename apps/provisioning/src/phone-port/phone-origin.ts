import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';

const everywhere = new Set(['0.0.0.0', '[::]']);
/** Hosts that only this machine reaches: the installation does not know how phones reach it. */
const own = /^(?:localhost|127\.[\d.]+|\[::1\])$/;
const hostHeader = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where phones reach the port for phones. */
@Injectable()
export class PhoneOrigin {
  /** The port that is listened on. */
  port: number;

  constructor(@Inject(CONFIG) private readonly config: ProvisioningConfig) {
    this.port = config.phonePort;
  }

  /**
   * Returns the address of a folder below the port for phones, as the phone that asks reaches it; undefined when the
   * installation does not know its own. The host that a phone asks for counts only where nothing better is set.
   */
  folder(path: string, host?: string): string | undefined {
    const { phoneUrl, publicUrl } = this.config;
    const { hostname } = new URL(publicUrl);
    const asked = phoneUrl === undefined && (everywhere.has(hostname) || own.test(hostname)) ? host : undefined;
    const origin =
      asked !== undefined && hostHeader.test(asked) ? URL.parse(`${this.scheme}://${asked}`)?.origin : undefined;
    const known = origin ?? this.get();
    return known === null ? undefined : known + path;
  }

  private get scheme(): 'http' | 'https' {
    return this.config.phoneTlsCertificate === '' ? 'http' : 'https';
  }

  /** Returns the same if other machines can reach it, as far as the installation knows; null otherwise. */
  reachable(): string | null {
    return this.config.phoneUrl === undefined && own.test(new URL(this.config.publicUrl).hostname) ? null : this.get();
  }

  /** Returns scheme, host and port; null when the installation has no public host. */
  get(): string | null {
    const { phoneUrl, publicUrl } = this.config;
    if (phoneUrl !== undefined) return new URL(phoneUrl).origin;
    const { hostname } = new URL(publicUrl);
    return everywhere.has(hostname) ? null : `${this.scheme}://${hostname}:${this.port}`;
  }
}
