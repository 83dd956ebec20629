import { z } from 'zod';

const cidr = z.union([z.cidrv4(), z.cidrv6()]);
export const mostSegments = 64;

const mapped = /^(?:::|(?:0{1,4}:){5})ffff:(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))\/(\d+)$/;

/** Returns a network of IPv4 that is written as one of IPv6 as IPv4: devices' addresses are compared so. */
function unmapped(segment: string): string {
  const [, dotted, high, low, bits] = mapped.exec(segment) ?? [];
  if (bits === undefined || Number(bits) < 96) return segment;
  const bytes = [high, low].flatMap((group) => [Number.parseInt(group!, 16) >> 8, Number.parseInt(group!, 16) & 255]);
  return `${dotted ?? bytes.join('.')}/${Number(bits) - 96}`;
}

/**
 * Parses comma-separated network segments (SITE-01), IPv4 and IPv6, and drops duplicates.
 * Host bits may be set: the database keeps the network. `wrong` is the first invalid one.
 */
export function segmentsOf(text: string): { segments: string[]; wrong?: string } {
  const segments = [
    ...new Set(
      text
        .split(/[,，\n]/)
        .map((s) => unmapped(s.trim().toLowerCase()))
        .filter((s) => s !== ''),
    ),
  ];
  const wrong = segments.find((s) => !cidr.safeParse(s).success) ?? segments[mostSegments];
  return wrong === undefined ? { segments } : { segments, wrong };
}
