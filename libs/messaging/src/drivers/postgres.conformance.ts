import { PostgresBus } from './postgres.ts';

/** How the suite opens this driver, in its own process and in those it kills: a short lease, no grace. */
export const open = (url: string): Promise<PostgresBus> =>
  PostgresBus.open({
    connection: { connectionString: url },
    leaseMs: 1_500,
    compactAfter: 1,
    tombstoneGraceMs: -1_000,
  });
