import { offsetName } from '@carillon/contracts/time';
import { zoneSeeds } from '@carillon/contracts/zones';

/** The zones to choose from, from west to east. */
export const zoneOptions = (): { value: string; label: string }[] => zoneSeeds.map((z) => ({ value: String(z.id), label: `${offsetName(z.offset)} ${z.region}` }));
