import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

const macText = /(?<![\da-f])(?:[\da-f]{2}[:-]?){5}[\da-f]{2}(?![\da-f])/i;

/**
 * Returns the MAC, in lower-case digits, that the certificate of a phone names in its subject or names; undefined
 * without a certificate of a known authority, or for one that names none, as makers give to all phones alike.
 */
export function certificateMac(socket: Socket): string | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject, subjectaltname = '' } = socket.getPeerCertificate();
  const named = [subject?.CN ?? [], subjectaltname.split(', ')].flat();
  for (const name of named) {
    const found = macText.exec(name)?.[0];
    if (found !== undefined) return found.replaceAll(/[:-]/g, '').toLowerCase();
  }
  return undefined;
}
