import { freshen, headers } from '../session/session.ts';

/** Saves data that the page has as a file. */
export function saveBlob(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Downloads a file with the session's headers, which a plain link cannot send. */
export async function saveFrom(path: string, name: string): Promise<void> {
  await freshen();
  const response = await fetch(path, { headers: await headers(), credentials: 'include' });
  if (!response.ok) throw new Error(`download: ${response.status}`);
  saveBlob(await response.blob(), name);
}
