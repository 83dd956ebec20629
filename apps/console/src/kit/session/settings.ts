import type { SystemInfo } from '@carillon/contracts';
import { keep, recall } from '../browser/storage.ts';

/** Settings that the server publishes before a login. */
export interface Settings extends SystemInfo {
  clientId: string;
  clientSecret: string;
  productName: string;
  version: string;
  idleSeconds: number;
}

/** Defaults when the operator has set nothing: the name, and the copyright year. */
export const product = { name: 'Carillon', year: 2026 } as const;

/**
 * The system's stored short name and icon, with defaults (SHELL-10). Stored, so that the next page starts with them.
 */
export const shortName = () => recall<string>('abbreviatedName') ?? product.name;
export const showIcon = () => {
  document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href = recall('favicon') ?? '/favicon.svg';
};
function take(given: Settings): Settings {
  for (const key of ['abbreviatedName', 'favicon', 'copyright'] as const) keep(key, given[key] ?? undefined);
  showIcon();
  return (known = given);
}

let asked: Promise<Settings> | undefined;
let known: Settings | undefined;

/** Fetches the settings once; a failure is not cached, so that the next call tries again. */
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
/** Forgets the settings after a change: they are fetched again at the next use. */
export const forgetSettings = () => {
  asked = undefined;
};
