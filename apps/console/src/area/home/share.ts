import type { DeviceState } from '@carillon/contracts';

/** The states of devices in the order of the tiles. */
export const states = ['online', 'offline', 'abnormal', 'notConfigured'] as const satisfies readonly DeviceState[];

export interface Share {
  name: string;
  count: number;
  others: number;
  /** The names in the rest, which has no name of its own. */
  rest: readonly string[];
  place: number;
}

/** Returns the largest parts and the sum of the rest, so that the colours stay distinguishable (design, section 6). */
export function shares(items: readonly { name: string; count: number }[], most = 5): Share[] {
  const sorted = [...items].sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
  // A single remaining part is shown by its name: "1 other" would say less in the same space.
  const kept = sorted.length === most + 1 ? sorted.slice(0, most + 1) : sorted.slice(0, most);
  const rest = sorted.slice(kept.length);
  return [
    ...kept.map((s, place) => ({ ...s, others: 0, rest: [], place })),
    ...(rest.length > 0
      ? [
          {
            name: '',
            count: rest.reduce((n, s) => n + s.count, 0),
            others: rest.length,
            rest: rest.map((s) => s.name),
            place: most,
          },
        ]
      : []),
  ];
}
