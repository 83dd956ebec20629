import type { CommandPayload, ResultPayload, UplinkKind, uplinkPayloads } from '@carillon/contracts/link';
import type { z } from 'zod';

/**
 * The limits of docs/device-link.md for a device. They are repeated here, and a test compares them with the contract,
 * because importing the contract's schemas would cost a device 18 MB.
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

/** Payload of each kind of uplink message, as the contract accepts it. */
export type UplinkPayload<K extends UplinkKind = UplinkKind> = z.input<(typeof uplinkPayloads)[K]>;

/** An outgoing message; `body` is UTF-8 JSON of at most 64 KiB. */
export interface Uplink {
  kind: UplinkKind;
  body: string;
}

/** A received command; each answer repeats its `trace`. */
export type Command = CommandPayload;

export type Answer = Pick<ResultPayload, 'status' | 'progress' | 'code' | 'message' | 'data'>;

export const isFinal = (answer: Answer): boolean => answer.status === 'success' || answer.status === 'fail';

export type BootReason = 'power' | 'reboot' | 'reset' | 'upgrade' | 'reconnect';
export type RestartReason = 'reboot' | 'reset' | 'upgrade';
/** Actions that take the device down, with what its next hello says then. */
export const restartOf: Readonly<Record<string, RestartReason | undefined>> = {
  reboot: 'reboot',
  factoryReset: 'reset',
  firmwareUpgrade: 'upgrade',
};

/** Parses a command. Returns null when the bytes are not one: without an id no answer is possible. */
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
