const pieceBytes = 1_048_576;
/** A file of at most so many bytes is read at once, and the browser itself computes its checksum. */
const wholeBytes = 33_554_432;

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Returns the SHA-256 of a file in hexadecimal digits. A large file is read a piece at a time, so that neither the page
 * nor its memory notices. Throws when it is aborted.
 */
export async function checksumOf(file: Blob, progress: (read: number) => void, signal: AbortSignal): Promise<string> {
  // Browsers offer it only to pages over TLS.
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle && file.size <= wholeBytes) {
    const sum = await subtle.digest('SHA-256', await file.arrayBuffer());
    signal.throwIfAborted();
    progress(file.size);
    return hexOf(new Uint8Array(sum));
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const sum = sha256.create();
  for (let at = 0; at < file.size; at += pieceBytes) {
    sum.update(new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer()));
    signal.throwIfAborted();
    progress(Math.min(at + pieceBytes, file.size));
  }
  return hexOf(sum.digest());
}
