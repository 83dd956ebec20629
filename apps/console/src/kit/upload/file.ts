import { count } from '../text/text.ts';

/** Returns a size such as `1.5 MB`, in the user's digits. */
export function fileSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let step = 0;
  let value = bytes;
  for (; value >= 1_024 && step < units.length - 1; step++) value /= 1_024;
  return `${count(Math.round(value * 10) / 10)} ${units[step]}`;
}
