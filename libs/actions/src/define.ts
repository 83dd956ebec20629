import type { z } from 'zod';
import type { DeltaFormat, PermissionKey, ResourceType, Text } from '@carillon/contracts';

/** What decides whether a device can do an action: the same for all devices with the same values. */
export interface DeviceKind {
  model: string;
  firmware: string | null;
  /** Capabilities from the device's own hello; empty before its first one. */
  capabilities: readonly string[];
  /** Number of doors, from its model or its own report; null when neither says. */
  doorCount: number | null;
}

/** A target device of an action. */
export interface ActionDevice extends DeviceKind {
  id: string;
  mac: string;
}

/** What a device reports when it is back. */
export interface DeviceHello {
  boot: string;
  firmware: string;
}

/** Bytes that a device loads, with the values by which it verifies them. */
export interface FilePart {
  /** Id of the stored bytes. */
  fileId: string;
  fileName: string;
  size: number;
  sha256: string;
}

export interface SignedPart extends FilePart {
  signature: string;
}

export interface Firmware {
  id: string;
  name: string;
  version: string;
  models: readonly string[];
  /** Lowest version that can upgrade to it; null: any. */
  least: string | null;
  whole: SignedPart;
  /** Differential packages: each for devices of one version. Without a format: the maker's. */
  deltas: readonly (SignedPart & { from: string; format?: DeltaFormat })[];
  /** The public key of the signatures, and endorsements of it by older keys (docs/device-link.md). */
  signedBy: string;
  endorsements: readonly { key: string; signature: string }[];
  /** True: the store found that it is not what was uploaded. */
  damaged?: boolean;
}

export interface ResourceFile {
  id: string;
  name: string;
  type: ResourceType;
  files: readonly FilePart[];
}

/** Configuration in the syntax of the devices that it is for. */
export interface ConfigFile {
  id: string;
  name: string;
  /** Rises by one with each new content. */
  version: number;
  /** Empty: any. */
  models: readonly string[];
  whole: FilePart;
  /** Set for a configuration that the templates make for one device: the version that the device reports back. */
  made?: string;
}

/** Files for actions, by noun: the service that keeps a file publishes it, and the task service copies it. */
export interface ActionFiles {
  firmware: Firmware;
  resourceFile: ResourceFile;
  configFile: ConfigFile;
}
export type FileNoun = keyof ActionFiles;
export type ActionFile = ActionFiles[FileNoun];

/** What a command with a file is built from. */
export interface GivenFile<File = ActionFile> {
  file: File;
  /** Returns the address where this device loads a part. */
  linkTo(part: FilePart): string;
}

/**
 * Which of several files a device gets: that of its model, of its nearest site upwards, of its group, or the one that
 * the templates make for it alone.
 */
export interface FileChoice {
  by: 'model' | 'site' | 'group' | 'template';
  /**
   * Model, site or group with its file; empty for templates. For a device in several groups the first pair decides.
   * `path` is its place in the order.
   */
  pairs: readonly { of: string; id: string; path: string }[];
}

/** Values for the placeholders of a reason. */
export type ReasonValues = Readonly<Record<string, string | number>>;

/** Why a device is skipped: a code, shown to each reader in their own language. */
export interface Refusal<Code extends string = string> {
  code: Code;
  values: ReasonValues;
}

/** Returns a reason to skip a device. */
export const refused = <C extends string>(code: C, values: ReasonValues = {}): Refusal<C> => ({ code, values });

/** The texts of an action, in four languages. */
export interface ActionTexts<Param extends string = string, Code extends string = string> {
  name: Text;
  /** Effect on the device, for the confirmation. */
  effect: Text;
  /** Name of the permission in the permission tree. */
  right: Text;
  /** Label of each parameter in the form and the operation log. */
  params: Readonly<Record<Param, Text>>;
  /** Label of each value of a choice parameter. */
  choices?: Readonly<Partial<Record<Param, Readonly<Record<string, Text>>>>>;
  /** The action's own reasons to skip a device. */
  refusals: Readonly<Record<Code, Text>>;
}

/** The schema library is passed in, not imported: a simulated device knows the actions without its 18 MB. */
type Schemas = typeof z;

/**
 * An action that a task makes a device do. Everything specific to an action is here: no other folder names one or
 * switches over their names.
 */
export interface ActionDefinition<
  Key extends string = string,
  Icon extends string = string,
  P extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  Code extends string = string,
  Noun extends FileNoun = FileNoun,
> {
  /** The command's `action` on the link, and the capability that a device's hello names. */
  key: Key;
  /** The component of `@tabler/icons-react`; a missing one does not compile in the console. */
  icon: Icon;
  right: PermissionKey;
  texts: ActionTexts<z.ZodType extends P ? string : keyof z.output<P> & string, Code>;
  /** Parameters that a user sets when they create the task. */
  params(schemas: Schemas): P;
  /** Valid parameters, with which tests order the action. */
  example: z.input<P>;
  /** Arguments sent to the device. */
  args(schemas: Schemas): A;
  toArgs(params: z.output<P>, device: ActionDevice, given?: GivenFile<ActionFiles[Noun]>): z.input<A>;
  /** Noun of the file that it brings: its parameter `<noun>Id` names one. */
  file?: Noun;
  /** Returns what an order with these parameters does, where that says more than the action's name. */
  orders?(params: z.output<P>): Text;
  /** Returns the choice of files when it is ordered with several. */
  chooses?(params: z.output<P>): FileChoice | null;
  /** What a device must do with it, for docs/device-link.md. */
  link: string;
  /** True: at most one such command is in flight per device. False: it bypasses them. */
  changesDevice: boolean;
  /** Hardware that it requires: a device without it does not name the action. */
  needs?: 'doors';
  /**
   * True: it applies only to the current moment, like opening a door. It lives for `expiresAfterMs` from its order or
   * due time and never waits longer; it fails at once on an offline device, and is sent only once.
   */
  isMomentary?: boolean;
  /** True: it destroys data on the device, so the user must type the number of devices. */
  isDestructive?: boolean;
  /** Longest time until an online device answers, ms. */
  answerWithinMs: number;
  /** Longest time from `accepted` to a final answer, ms. */
  doneWithinMs: number;
  /** How long a command waits for an offline device, ms; for a momentary one its lifetime. */
  expiresAfterMs: number;
  /** Devices per second and task; 0 is unlimited. */
  perSecond: number;
  /**
   * Returns a further reason to skip a capable device, or null; `file` is the one that it would get, and `restores` says
   * that the device had it before.
   */
  refuses?(device: DeviceKind, params: z.output<P>, file?: ActionFiles[Noun], restores?: boolean): Refusal<Code> | null;
  /**
   * Interprets the hello of a restarted device: true for success, a code for a failure, undefined when it shows
   * neither; `said` when the device reported success before the restart. When absent, the action involves no restart,
   * and only the device's answer counts.
   */
  backWith?(hello: DeviceHello, said: boolean, file?: ActionFiles[Noun]): true | Code | undefined;
  /** Behaviour of the simulated device. */
  device(...given: Parameters<DeviceAction<z.output<A>>>): Promise<void>;
}

export function defineAction<
  const Key extends string,
  const Icon extends string,
  P extends z.ZodType,
  A extends z.ZodType,
  Code extends string,
  const Noun extends FileNoun = never,
>(definition: ActionDefinition<Key, Icon, P, A, Code, Noun>): ActionDefinition<Key, Icon, P, A, Code, Noun> {
  return definition;
}

/** A file as a command names it. */
export interface LinkedFile {
  url: string;
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
}

export interface SignedFile extends LinkedFile {
  /** Ed25519, in base64url. */
  signature: string;
  signedBy: string;
  endorsements?: readonly { key: string; signature: string }[];
}

/** A differential package as a command names it. */
export interface DeltaFile extends SignedFile {
  format: string;
}

/** Files of one kind and name on a device: all of them or none. */
export interface DeviceResource {
  kind: ResourceType;
  name: string;
  files: readonly (LinkedFile & { name: string })[];
}

/** A configuration that is merged into the device's own or replaces it. */
export interface DeviceConfig {
  version: string;
  mode: 'merge' | 'replace';
  text: string;
}

/** What an action may do with the simulated device; a real firmware has its own means. */
export interface DeviceBody {
  /** Resolves when no call is active; meanwhile the platform is informed (`accepted` with the code `busy`). */
  idle(): Promise<void>;
  /**
   * Loads a file, resumes broken connections, verifies it and reports progress. Returns the fault, or null. With
   * `delta` it is made from the running image if possible, and loaded completely otherwise.
   */
  load(file: SignedFile, version: string, delta?: DeltaFile): Promise<'download' | 'checksum' | 'signature' | null>;
  /** Loads all files of a resource likewise; they are not signed and need space. */
  loadAll(resource: DeviceResource): Promise<'download' | 'checksum' | 'space' | null>;
  /** Replaces the device's resource of that kind and name, until a reset. */
  keep(resource: DeviceResource): Promise<void>;
  /** Loads an unsigned file and checks it. Returns its text, or the fault. */
  read(file: LinkedFile): Promise<{ text: string } | { wrong: 'download' | 'checksum' }>;
  /**
   * Applies a configuration until a reset, and returns the unknown keys; null for an unreadable one, which changes
   * nothing. Later hellos name its version.
   */
  configure(config: DeviceConfig): Promise<readonly { key: string; code: string }[] | null>;
  /** Installs a version, which runs from the next start on. */
  install(version: string): Promise<void>;
  /** Returns the running version. */
  firmware(): string;
  /** Restarts the device with the given reason in its next hello; the caller is not resumed. */
  restart(boot: 'reboot' | 'reset' | 'upgrade'): void;
  /** Waits, ms of the device's own time. */
  sleep(ms: number): Promise<void>;
  /** Shows a visible effect for this long, ms, in the simulator's list of devices. Ends with a restart. */
  show(sight: string, forMs: number): void;
  /** Opens a door for its opening time, or closes it; returns false when there is no such door. */
  moveDoor(door: number, command: 'open' | 'close'): boolean;
}

export interface DeviceAnswer {
  status: 'accepted' | 'progress' | 'downloaded' | 'success' | 'fail';
  progress?: number;
  code?: string;
  message?: string;
  data?: unknown;
}

/** Behaviour of the simulated device for a command; calls `answer`, finally with a final status. */
export type DeviceAction<A = Record<string, unknown>> = (
  args: A,
  body: DeviceBody,
  answer: (a: DeviceAnswer) => Promise<void>,
) => Promise<void>;
