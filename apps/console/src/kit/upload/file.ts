import { count } from '../text/text.ts';
import { freshen, headers } from '../session/session.ts';

/** Downloads an uploaded file with the session's headers, which a plain link cannot send. */
export async function saveContent(url: string, name: string): Promise<void> {
  await freshen();
  const response = await fetch(url, { headers: await headers(), credentials: 'include' });
  if (!response.ok) throw new Error(`file: ${response.status}`);
  const local = URL.createObjectURL(await response.blob());
  Object.assign(document.createElement('a'), { href: local, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(local), 60_000);
}

/** Returns a size such as `1.5 MB`, in the user's digits. */
export function fileSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let step = 0;
  let value = bytes;
  for (; value >= 1_024 && step < units.length - 1; step++) value /= 1_024;
  return `${count(Math.round(value * 10) / 10)} ${units[step]}`;
}
