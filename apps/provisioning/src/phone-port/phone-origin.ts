import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@carillon/service';
import type { ProvisioningConfig } from '../config.ts';

const everywhere = new Set(['0.0.0.0', '[::]']);

/** Where phones reach the port for phones. */
@Injectable()
export class PhoneOrigin {
  /** The port that is listened on. */
  port: number;

  constructor(@Inject(CONFIG) private readonly config: ProvisioningConfig) {
    this.port = config.phonePort;
  }

  /** Returns scheme, host and port; null when the installation has no public host. */
  get(): string | null {
    const { phoneUrl, publicUrl, phoneTlsCertificate } = this.config;
    if (phoneUrl !== undefined) return new URL(phoneUrl).origin;
    const { hostname } = new URL(publicUrl);
    return everywhere.has(hostname)
      ? null
      : `${phoneTlsCertificate === '' ? 'http' : 'https'}://${hostname}:${this.port}`;
  }
}
