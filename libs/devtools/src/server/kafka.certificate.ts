import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

/** A broker's self-signed certificate in PEM. A client that trusts only this one talks to no other broker. */
export interface BrokerCertificate {
  certificate: string;
  key: string;
}

const years = 10;
const day = 86_400_000;

/** Creates a certificate for brokers with these names and addresses. */
export async function newBrokerCertificate(
  hosts: readonly string[] = ['localhost', '127.0.0.1'],
): Promise<BrokerCertificate> {
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: 'Carillon: Kafka' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // Allows clocks that differ.
    notBeforeDate: new Date(Date.now() - day),
    notAfterDate: new Date(Date.now() + years * 365 * day),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: hosts.map((host) => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })),
      },
    ],
  });
  return { certificate: made.cert, key: made.private };
}

export const certificateFile = (folder: string): string => join(folder, 'certificate.pem');

/**
 * Returns the certificate of a folder's broker; creates it at the first start and renews it in its last three months.
 */
export async function brokerCertificate(folder: string): Promise<BrokerCertificate> {
  const [file, keyFile] = [certificateFile(folder), join(folder, 'certificate-key.pem')];
  if (existsSync(file) && existsSync(keyFile)) {
    const certificate = readFileSync(file, 'utf8');
    if (new X509Certificate(certificate).validToDate.getTime() - Date.now() > 90 * day)
      return { certificate, key: readFileSync(keyFile, 'utf8') };
  }
  const made = await newBrokerCertificate();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [to, text] of [
    [keyFile, made.key],
    [file, made.certificate],
  ] as const) {
    writeFileSync(`${to}.new`, text, { mode: 0o600 });
    renameSync(`${to}.new`, to);
  }
  return made;
}

/** Returns the content of a PEM in one line. */
export const withinPem = (pem: string): string =>
  pem
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('-----'))
    .join('');

/** Returns the lines of server.properties for the certificate. */
export function certificateSettings({ certificate, key }: BrokerCertificate): Record<string, string> {
  const oneLine = (pem: string): string => pem.trim().replaceAll(/\s*\n\s*/g, ' ');
  return {
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.certificate.chain': oneLine(certificate),
    'ssl.keystore.key': oneLine(key),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.certificates': oneLine(certificate),
  };
}
