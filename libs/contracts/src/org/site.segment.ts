import { z } from 'zod';

const cidr = z.union([z.cidrv4(), z.cidrv6()]);
export const mostSegments = 64;

/**
 * Parses comma-separated network segments (spec, sections 3 and 5: `{ip}/24`), IPv4 and IPv6, and drops duplicates.
 * Host bits may be set: the database keeps the network. `wrong` is the first invalid one.
 */
export function segmentsOf(text: string): { segments: string[]; wrong?: string } {
  const segments = [
    ...new Set(
      text
        .split(/[,，\n]/)
        .map((s) => s.trim().toLowerCase())
        .filter((s) => s !== ''),
    ),
  ];
  const wrong = segments.find((s) => !cidr.safeParse(s).success) ?? segments[mostSegments];
  return wrong === undefined ? { segments } : { segments, wrong };
}
