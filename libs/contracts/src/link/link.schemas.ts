import { z } from 'zod';

/**
 * Device link v1 (docs/device-link.md): messages between a device and the MQTT gateway. Additions are allowed; unknown
 * fields are dropped. These schemas accept loosely what a device sends and check strictly what the platform sends.
 */
/**
 * NUL and lone surrogates are valid JSON but cannot be stored as text: one device's message would block all messages
 * behind it.
 */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .overwrite((value) => value.replaceAll('\0', '').toWellFormed());
const short = text(128);
const at = z.number().int().min(0).max(8.64e15);
export const traceparent = z
  .string()
  .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
  .optional()
  .catch(undefined);

/** MAC as the platform stores it: 12 lower-case hex digits. */
export const linkMac = z.string().regex(/^[0-9a-f]{12}$/);

/**
 * Formats of differential packages (docs/device-link.md). `maker` ones are uploaded; the platform makes the others, for
 * devices whose hello lists the capability `delta.<format>`.
 */
export const deltaFormats = ['maker', 'zstd-windows'] as const;
export type DeltaFormat = (typeof deltaFormats)[number];

export const bootReasons = ['power', 'reboot', 'reset', 'upgrade', 'reconnect'] as const;
export const helloPayload = z.object({
  model: short,
  sn: short,
  firmware: short,
  hardware: short.optional(),
  lte: short.optional(),
  ip: text(64),
  uptime: z.number().min(0),
  boot: z.enum(bootReasons),
  capabilities: z.array(text(64)).max(64),
  configVersion: short.optional(),
  doorRevision: z.union([short, z.number()]).optional(),
  trace: traceparent,
});
export type HelloPayload = z.output<typeof helloPayload>;

export const lineStatuses = ['registered', 'unregistered', 'failed', 'unassigned', 'calling', 'abnormal'] as const;
export type LineStatus = (typeof lineStatuses)[number];
/** The final SIP status that refused a registration; 408 when there was no answer. */
export const sipCode = z.number().int().min(300).max(699);
export const doorStatuses = ['open', 'closed', 'notClosed', 'unknown', 'abnormal', 'normal'] as const;
export const statePayload = z.object({
  at,
  lines: z
    .array(
      z.object({
        line: z.number().int().min(1).max(64),
        account: short.optional(),
        server: short.optional(),
        status: z.enum(lineStatuses),
        // A code that is none must not cost the rest of the report.
        code: sipCode.optional().catch(undefined),
      }),
    )
    .max(64)
    .optional(),
  calls: z
    .number()
    .int()
    .min(0)
    .overwrite((n) => Math.min(n, 65_535))
    .optional(),
  dnd: z.enum(['on', 'off', 'unsupported']).optional(),
  certificate: z.boolean().optional(),
  lte: short.optional(),
  doors: z
    .array(z.object({ door: z.number().int().min(1).max(64), status: z.enum(doorStatuses) }))
    .max(64)
    .optional(),
  ip: text(64).optional(),
  /** The configuration that the device uses from now on. */
  configVersion: short.optional(),
  /** Whether the device could not apply its last configuration; false when a `configVersion` comes alone. */
  configFailed: z.boolean().optional(),
  trace: traceparent,
});
export type StatePayload = z.output<typeof statePayload>;

export const eventPayload = z.object({
  id: z.string().min(1).max(64),
  at,
  kind: z.enum(['registrationFailed', 'factoryReset', 'reboot', 'tamper']),
  detail: z.unknown().optional(),
  trace: traceparent,
});
export type EventPayload = z.output<typeof eventPayload>;

export const answerStatuses = ['accepted', 'progress', 'downloaded', 'success', 'fail'] as const;
export type AnswerStatus = (typeof answerStatuses)[number];
export const resultPayload = z.object({
  id: z.uuid(),
  status: z.enum(answerStatuses),
  progress: z.number().min(0).max(100).optional(),
  code: text(64).optional(),
  message: text(512).optional(),
  data: z.unknown().optional(),
  at,
  trace: traceparent,
});
export type ResultPayload = z.output<typeof resultPayload>;

export const callPayload = z.object({
  id: z.string().min(1).max(64),
  at,
  report: text(16_384).optional(),
  record: z.record(z.string(), z.unknown()).optional(),
  trace: traceparent,
});
export const unlockPayload = z.object({
  log: z.string().min(1).max(64),
  seq: z.number().int().min(0),
  at,
  door: z.number().int().min(1).max(64),
  method: z.enum(['card', 'password', 'portrait', 'remote', 'button', 'call']),
  credential: short.optional(),
  outcome: z.enum(['granted', 'denied']),
  reason: short.optional(),
  trace: traceparent,
});

/** Maps the last level of `d/{mac}/…` to the schema of its payload. */
export const uplinkPayloads = {
  hello: helloPayload,
  state: statePayload,
  event: eventPayload,
  result: resultPayload,
  call: callPayload,
  unlock: unlockPayload,
} as const;
export type UplinkKind = keyof typeof uplinkPayloads;

/** `d/{mac}/command`. The gateway sets `now` when it writes to the socket. */
export const commandPayload = z.object({
  id: z.uuid(),
  action: z.string().min(1).max(64),
  args: z.record(z.string(), z.unknown()),
  expiresAt: at,
  now: at,
  trace: traceparent,
});
export type CommandPayload = z.output<typeof commandPayload>;

/** Limits and times of the link; the unit is in the name. */
export const linkLimits = {
  payloadBytes: 64 * 1024,
  /** Longest packet before CONNECT is accepted. */
  connectBytes: 4 * 1024,
  keepAliveMinSeconds: 60,
  keepAliveMaxSeconds: 600,
  keepAliveAdvisedSeconds: 120,
  answerWithinMs: 30_000,
  rememberedCommands: 64,
  clockToleranceMs: 2_000,
  doorCommandLifeMs: 10_000,
  silentLossSlackMs: 5_000,
} as const;

export const linkTopic = {
  up: (mac: string, kind: UplinkKind): string => `d/${mac}/${kind}`,
  command: (mac: string): string => `d/${mac}/command`,
};
