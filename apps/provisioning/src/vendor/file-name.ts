import { vendors } from './vendor-of.ts';

/** Name of the text of the link, which any device may load. */
export const plainFile = (mac: string): string => `${mac}.txt`;

const names = [plainFile, ...vendors.map(({ fileOf }) => fileOf)];

/** Returns whether the file of some device has this name. A phone that starts asks for several that none has. */
export function isFileName(name: string): boolean {
  const mac = /[0-9a-f]{12}/.exec(name)?.[0];
  return mac !== undefined && names.some((nameOf) => nameOf(mac) === name);
}
