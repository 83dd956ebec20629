import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** One line of CARILLON_TRACE_FILE. */
export interface Span {
  name: string;
  kind: string;
  traceId: string;
  spanId: string;
  parentId: string | null;
  links: string[];
}

export function newTrace(): { traceparent: string; traceId: string; spanId: string } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceparent: `00-${traceId}-${spanId}-01`, traceId, spanId };
}

export function spansOf(file: string, traceId: string): Span[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(traceId))
    .map((line) => JSON.parse(line) as Span)
    .filter((s) => s.traceId === traceId);
}

/**
 * Returns the remote addresses of a process's TCP and UDP sockets (IPv4 dotted, IPv6 as the kernel prints it).
 * Listening sockets have none.
 */
export function openConnections(pid: number): string[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    }),
  );
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
    readFileSync(`/proc/${pid}/net/${protocol}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const fields = line.trim().split(/\s+/);
        const [remote] = fields[2]!.split(':');
        if (!own.has(fields[9]!) || /^0+$/.test(remote!)) return [];
        return [
          remote!.length === 8
            ? remote!
                .match(/../g)!
                .toReversed()
                .map((byte) => Number.parseInt(byte, 16))
                .join('.')
            : remote!,
        ];
      }),
  );
}
