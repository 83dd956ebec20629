export * from './device.ts';
export { CommandLog, type CommandStore, type ForeignLines, type Remembered } from './command-store.ts';
export type { Action, Body, Recover } from './commands.ts';
export { systemClock, type Clock } from './clock.ts';
export type { Answer, BootReason, Command, RestartReason, Uplink, UplinkPayload } from './protocol.ts';
export { deltaFormat, DeltaFault, DeltaSink, loadDelta, type DeltaBase } from './delta.ts';
export {
  loadFile,
  loadFiles,
  loadSignedFile,
  type LoadFile,
  type LoadOptions,
  type PinnedKey,
  type Sink,
} from './download.ts';
export { endorsedText, isTrusted, signedText, type SignedFile } from './trust.ts';
