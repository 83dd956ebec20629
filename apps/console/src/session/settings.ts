/** What the server tells the console before anybody has logged in. */
export interface Settings { clientId: string; clientSecret: string; productName: string; version: string; idleSeconds: number }

let asked: Promise<Settings> | undefined;
let known: Settings | undefined;

/** Fetched once; a failure is forgotten, so that the next call tries again. */
export function settings(): Promise<Settings> {
  asked ??= fetch('/carillon.json', { credentials: 'include' }).then(async (r) => {
    if (!r.ok) throw new Error(`carillon.json: ${r.status}`);
    return (known = await r.json() as Settings);
  }).catch((e: unknown) => { asked = undefined; throw e; });
  return asked;
}

export const knownSettings = (): Settings | undefined => known;
export const basicHeader = (s: Settings) => `Basic ${btoa(`${s.clientId}:${s.clientSecret}`)}`;
