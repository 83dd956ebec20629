import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsOptions } from 'node:tls';

export interface CertificateFiles {
  /** PEM files of the certificate with its chain, and of its key. */
  certificate: string;
  key: string;
  /** PEM file of the authorities that sign device certificates; empty for none. */
  clientCa: string;
  /** Whether a device without a certificate is refused. */
  clientRequired: boolean;
}

/** Polling interval of the files in milliseconds, which delays the use of a renewed certificate. */
const lookEveryMs = 2_000;

/** A server's certificate and the authorities for devices, reloaded when a file changes or on SIGHUP. */
export class Certificates {
  private readonly listeners = new Set<(options: TlsOptions) => void>();
  constructor(
    private readonly files: CertificateFiles,
    private readonly log: Record<'info' | 'error', (fields: object, message: string) => void>,
  ) {}

  /** Returns the options of a TLS server. Throws when a file is missing, or key and certificate do not match. */
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

  /** Calls `changed` with new options until `unwatch`. */
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
   * Existing connections keep their options. On an error the old certificate stays in use: its other file may not be
   * written yet.
   */
  private readonly reload = (): void => {
    try {
      const options = this.read();
      for (const changed of this.listeners) changed(options);
      this.log.info({ certificate: this.files.certificate }, 'certificates read again');
    } catch (error) {
      this.log.error(
        { err: error, certificate: this.files.certificate },
        'certificates could not be read, the old ones stay in use',
      );
    }
  };
}
