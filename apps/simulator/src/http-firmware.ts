import type { ProvisionedFile, Starting } from './maker.ts';
import { makers } from './maker.ts';
import type { Model } from './model.ts';
import { get, open } from './provisioned.ts';

type Values = ProvisionedFile['values'];

/** A phone with what its files told it. */
export interface Upgradable {
  phone: Starting;
  kept: ProvisionedFile | undefined;
  /** The address of an image in a file that has no values. */
  named: string | undefined;
  /** Whether it has just started. */
  started: boolean;
}

/** Returns the address of the image that the values name, by maker. Written from what the makers document. */
const addresses: Readonly<Record<Model['vendor'], (values: Values, model: Model) => string | undefined>> = {
  Fanvil: (values) => values['AUTOUPDATE_CONFIG_MODULE/Auto_Image_URL'],
  Yealink: (values) => values['static.firmware.url'],
  // 2: never look for firmware.
  Grandstream: ({ P192: path, P238: when, P6767: protocol }, { name }) =>
    path && when !== '2' ? `${protocol === '2' ? 'https' : 'http'}://${path}/${name.toLowerCase()}fw.bin` : undefined,
  Snom: ({ firmware_status: file }) => file,
  Poly: () => undefined,
  Akuvox: (values) => values['Firmware.Url'],
  Htek: ({ P192: path }, { name }) => (path ? `${path}/img_${name.replaceAll(/\D/g, '')}.bin` : undefined),
};

/** Settings with the addresses of resources that a phone loads and keeps, by maker. */
const resources: Readonly<Partial<Record<Model['vendor'], readonly string[]>>> = {
  Yealink: ['ringtone.url', 'wallpaper_upload.url', 'gui_lang.url'],
};

/** What an image says of itself in its first bytes. */
const stamp = /version=([\d.]+)/;
const stampBytes = 512;

/** Returns bytes as an image of this version that phones over HTTP can load. */
export const imageOf = (version: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`\u0001\u0002version=${version}\n`), bytes]);

/** Returns the address of the image that a phone is to load; undefined for none. */
async function imageAddress({ phone, kept, named, started }: Upgradable): Promise<string | undefined> {
  const { vendor } = phone.model;
  const address = named ?? addresses[vendor](kept?.values ?? {}, phone.model);
  if (vendor !== 'Snom' || address === undefined) return address;
  // These phones look for firmware when they start, in a file of its own.
  if (!started) return undefined;
  const { status, text } = await get(new URL(address), makers[vendor].agent(phone, kept), phone);
  return status === 200 ? /<firmware [^>]*>([^<]*)<\/firmware>/.exec(text)?.[1] : undefined;
}

/** Loads a file to its end. Returns its first bytes; undefined when it is not there. Keeps nothing of it. */
async function load(address: string, { phone, kept }: Upgradable): Promise<Buffer | undefined> {
  const answer = await open(new URL(address), makers[phone.model.vendor].agent(phone, kept), phone);
  let first: Buffer = Buffer.alloc(0);
  for await (const part of answer as AsyncIterable<Buffer>)
    if (first.length < stampBytes) first = Buffer.concat([first, part]).subarray(0, stampBytes);
  return answer.statusCode === 200 ? first : undefined;
}

/**
 * Loads the image that the files of a phone name, unless `loaded` has its address, and adds the address. Returns the
 * version of the image; undefined when there is none, or when it could not be loaded.
 */
export async function loadImage(upgradable: Upgradable, loaded: Set<string>): Promise<string | undefined> {
  const address = await imageAddress(upgradable);
  if (!address || loaded.has(address)) return undefined;
  const first = await load(address, upgradable);
  if (!first) return undefined;
  loaded.add(address);
  return stamp.exec(first.toString('latin1'))?.[1];
}

/**
 * Loads the resources that the files of a phone name, unless `loaded` has their address, and adds the address. Returns
 * the names of those that it loaded.
 */
export async function loadResources(upgradable: Upgradable, loaded: Set<string>): Promise<string[]> {
  const { phone, kept } = upgradable;
  const names: string[] = [];
  for (const name of resources[phone.model.vendor] ?? []) {
    const address = kept?.values[name];
    if (!address || loaded.has(address) || !(await load(address, upgradable))) continue;
    loaded.add(address);
    names.push(address.slice(address.lastIndexOf('/') + 1));
  }
  return names;
}
