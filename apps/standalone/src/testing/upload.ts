import type { Platform } from '@carillon/testing/platform';

/** Uploads a file in one part, as a program does by tus. Returns the id of the upload. */
export async function uploadFile(platform: Platform, noun: string, name: string, bytes: Buffer): Promise<string> {
  const headers = { 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${platform.ready.url}/api/f/resource/${noun}/upload`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  if (!begun.ok) throw new Error(`the upload was refused: ${await begun.text()}`);
  const at = begun.headers.get('location')!;
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  if (!sent.ok) throw new Error(`the upload failed: ${await sent.text()}`);
  return at.split('/').at(-1)!;
}
