import changelog from './changelog.json' with { type: 'json' };

/** A version of the product and its calls, each with a fingerprint of its whole contract. */
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

/** All versions, newest first; written by the contract test (contracts.spec.ts). */
export const releases: readonly Release[] = changelog;

/** Returns what each version changed, by the names of the calls; for the first version all calls are new. */
export function changes(list: readonly Release[] = releases): Change[] {
  return list.map(({ version, date, calls }, i) => {
    const before = list[i + 1]?.calls ?? {};
    return {
      version,
      date,
      added: Object.keys(calls).filter((name) => !(name in before)),
      changed: Object.keys(calls).filter((name) => name in before && before[name] !== calls[name]),
      removed: Object.keys(before).filter((name) => !(name in calls)),
    };
  });
}
