import type { SystemInfo } from '@carillon/contracts';
import { keep, recall } from './storage.ts';

/** What the server tells the console before anybody has logged in. */
export interface Settings extends SystemInfo {
  clientId: string;
  clientSecret: string;
  productName: string;
  version: string;
  idleSeconds: number;
}

/** What stands where the operator has set nothing: the name, and the year of the copyright. */
export const product = { name: 'Carillon', year: 2026 } as const;

/**
 * The stored short name of the system, and its icon; each with a default (SHELL-10). Kept, so that the next page begins
 * with them.
 */
export const shortName = () => recall<string>('abbreviatedName') ?? product.name;
export const showIcon = () => {
  document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = recall('favicon') ?? '/favicon.svg';
};
function take(told: Settings): Settings {
  for (const key of ['abbreviatedName', 'favicon', 'copyright'] as const) keep(key, told[key] ?? undefined);
  showIcon();
  return (known = told);
}

let asked: Promise<Settings> | undefined;
let known: Settings | undefined;

/** Fetched once; a failure is forgotten, so that the next call tries again. */
export function settings(): Promise<Settings> {
  asked ??= fetch('/carillon.json', { credentials: 'include' })
    .then(async (r) => {
      if (!r.ok) throw new Error(`carillon.json: ${r.status}`);
      return take((await r.json()) as Settings);
    })
    .catch((e: unknown) => {
      asked = undefined;
      throw e;
    });
  return asked;
}

export const knownSettings = (): Settings | undefined => known;
export const basicHeader = (s: Settings) => `Basic ${btoa(`${s.clientId}:${s.clientSecret}`)}`;
/** Asked for again at the next use: something of it was changed. */
export const forgetSettings = () => {
  asked = undefined;
};
