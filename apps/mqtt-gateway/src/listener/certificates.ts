import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import type { Log } from '../log.ts';

export interface CertificateFiles {
  /** PEM of the certificate with its chain, and of its key. */
  certificate: string;
  key: string;
  /** PEM of the authorities that sign devices' certificates; none when empty. */
  clientCa: string;
  /** Whether a device without a certificate is sent away. */
  clientRequired: boolean;
}

/** How often the files are looked at, ms: a renewed certificate may take so long to be used. */
const lookEveryMs = 2_000;

/** The gateway's certificate and the authorities of its devices, read anew when a file changes or SIGHUP comes. */
export class Certificates {
  private readonly listeners = new Set<(options: TlsOptions) => void>();
  constructor(
    private readonly files: CertificateFiles,
    private readonly log: Log,
  ) {}

  /** What a TLS server is made with. Throws when a file is missing, or key and certificate do not belong together. */
  read(): TlsOptions {
    const { certificate, key, clientCa, clientRequired } = this.files;
    const options: TlsOptions = {
      cert: readFileSync(certificate),
      key: readFileSync(key),
      minVersion: 'TLSv1.2',
      ...(clientCa === '' ? {} : { ca: readFileSync(clientCa), requestCert: true, rejectUnauthorized: clientRequired }),
    };
    createSecureContext(options);
    return options;
  }

  /** Calls with the new options from now on, until `unwatch`. */
  watch(changed: (options: TlsOptions) => void): void {
    if (this.listeners.size === 0) {
      for (const file of this.names()) watchFile(file, { interval: lookEveryMs, persistent: false }, this.reload);
      process.on('SIGHUP', this.reload);
    }
    this.listeners.add(changed);
  }

  unwatch(changed: (options: TlsOptions) => void): void {
    if (!this.listeners.delete(changed) || this.listeners.size > 0) return;
    for (const file of this.names()) unwatchFile(file, this.reload);
    process.off('SIGHUP', this.reload);
  }

  private names(): string[] {
    return [this.files.certificate, this.files.key, this.files.clientCa].filter((file) => file !== '');
  }

  /**
   * Connections that stand keep what they were made with. What cannot be read leaves the old in use: its other half may
   * be on its way.
   */
  private readonly reload = (): void => {
    try {
      const options = this.read();
      for (const changed of this.listeners) changed(options);
      this.log.info({ certificate: this.files.certificate }, 'certificates read anew');
    } catch (error) {
      this.log.error(
        { err: error, certificate: this.files.certificate },
        'certificates could not be read, the old ones stay in use',
      );
    }
  };
}
