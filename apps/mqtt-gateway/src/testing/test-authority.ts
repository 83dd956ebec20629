import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Certificates for a test, made by OpenSSL in a folder of their own: an authority, what it signs, and a foreign one.
 */
export class TestAuthority {
  readonly folder = mkdtempSync(join(tmpdir(), 'carillon-certificates-'));
  readonly caFile = join(this.folder, 'ca.pem');
  private readonly caKey = join(this.folder, 'ca-key.pem');

  constructor(name = 'Test authority') {
    this.openssl([
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      this.caKey,
      '-out',
      this.caFile,
    ]);
  }

  get ca(): Buffer {
    return readFileSync(this.caFile);
  }

  /** Signs a certificate, for 127.0.0.1 if it is a server's. Returns its files and their content. */
  sign(
    commonName: string,
    file = commonName.replaceAll(':', ''),
  ): { certFile: string; keyFile: string; cert: Buffer; key: Buffer } {
    const at = (what: string): string => join(this.folder, `${file}-${what}.pem`);
    const [certFile, keyFile, request, extensions] = [at('cert'), at('key'), at('request'), at('extensions')];
    writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    this.openssl([
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-subj',
      `/CN=${commonName}`,
      '-keyout',
      keyFile,
      '-out',
      request,
    ]);
    this.openssl([
      'x509',
      '-req',
      '-in',
      request,
      '-CA',
      this.caFile,
      '-CAkey',
      this.caKey,
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      extensions,
      '-out',
      certFile,
    ]);
    return { certFile, keyFile, cert: readFileSync(certFile), key: readFileSync(keyFile) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private openssl(args: string[]): void {
    execFileSync('openssl', args, { cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
}
