import { X509Certificate } from 'node:crypto';
import type { CertificateFacts } from '@carillon/contracts';

/** Returns the certificate of a PEM text; undefined when it has none, or more than one. */
export function readCertificate(pem: string): CertificateFacts | undefined {
  if (!/^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/.test(pem)) return undefined;
  try {
    const read = new X509Certificate(pem);
    return {
      pem: pem.trim(),
      subject: read.subject.replaceAll('\n', ', '),
      issuer: read.issuer.replaceAll('\n', ', '),
      validFrom: read.validFromDate.toISOString(),
      validTo: read.validToDate.toISOString(),
      fingerprint: read.fingerprint256,
    };
  } catch {
    return undefined;
  }
}
