import changelog from './changelog.json' with { type: 'json' };

/** A version of the product and the calls it had, each with a fingerprint of everything that a caller relies on. */
export interface Release {
  version: string;
  date: string;
  calls: Record<string, string>;
}

export interface Change {
  version: string;
  date: string;
  added: string[];
  changed: string[];
  removed: string[];
}

/** Every version there was, the newest first; written by the test that keeps the contract (contracts.spec.ts). */
export const releases: readonly Release[] = changelog;

/** What each version brought to a caller, by the names of the calls; the first one brought all it has. */
export function changes(of: readonly Release[] = releases): Change[] {
  return of.map(({ version, date, calls }, i) => {
    const before = of[i + 1]?.calls ?? {};
    return {
      version,
      date,
      added: Object.keys(calls).filter((name) => !(name in before)),
      changed: Object.keys(calls).filter((name) => name in before && before[name] !== calls[name]),
      removed: Object.keys(before).filter((name) => !(name in calls)),
    };
  });
}
