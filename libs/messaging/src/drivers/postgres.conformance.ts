import { PostgresBus } from './postgres.ts';

/**
 * Opens this driver for the suite, in its own process and in the processes it kills: with a short lease and no grace
 * period.
 */
export const open = (url: string): Promise<PostgresBus> =>
  PostgresBus.open({
    connection: { connectionString: url },
    leaseMs: 1_500,
    compactAfter: 1,
    tombstoneGraceMs: -1_000,
  });
