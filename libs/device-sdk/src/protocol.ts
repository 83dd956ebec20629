import type { CommandPayload, ResultPayload, UplinkKind, uplinkPayloads } from '@carillon/contracts/link';
import type { z } from 'zod';

/**
 * The numbers of docs/device-link.md that a device keeps. They are repeated here, and compared with the contract by a
 * test, because importing the contract's schemas costs a device 18 MB that it does not need.
 */
export const deviceLimits = {
  payloadBytes: 64 * 1024,
  keepAliveSeconds: 120,
  answerWithinMs: 30_000,
  rememberedCommands: 64,
  clockToleranceMs: 2_000,
} as const;

/** "Down": a door is never moved before the platform's clock is known. */
export const needsClock: ReadonlySet<string> = new Set(['doorControl']);

/** What goes up under each kind, as the contract accepts it. */
export type UplinkPayload<K extends UplinkKind = UplinkKind> = z.input<(typeof uplinkPayloads)[K]>;

/** One message on its way up; `body` is UTF-8 JSON of at most 64 KiB. */
export interface Uplink {
  kind: UplinkKind;
  body: string;
}

/** A command as it came down; `trace` goes back with each answer. */
export type Command = CommandPayload;

export type Answer = Pick<ResultPayload, 'status' | 'progress' | 'code' | 'message' | 'data'>;

export const isFinal = (answer: Answer): boolean => answer.status === 'success' || answer.status === 'fail';

export type BootReason = 'power' | 'reboot' | 'reset' | 'upgrade' | 'reconnect';
export type RestartReason = 'reboot' | 'reset' | 'upgrade';

/** Null when the bytes are no command at all: without an id there is nothing to answer to. */
export function parseCommand(text: string): Command | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { id, action, args, expiresAt, now, trace } = value as Record<string, unknown>;
  if (
    typeof id !== 'string' ||
    id === '' ||
    typeof action !== 'string' ||
    typeof expiresAt !== 'number' ||
    typeof now !== 'number'
  )
    return null;
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return null;
  return {
    id,
    action,
    args: args as Record<string, unknown>,
    expiresAt,
    now,
    trace: typeof trace === 'string' ? trace : undefined,
  };
}
