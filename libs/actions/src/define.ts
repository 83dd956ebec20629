import type { z } from 'zod';
import type { DeltaFormat, PermissionKey, ResourceType, Text } from '@carillon/contracts';

/** What decides whether a device can do an action: the same for all devices that say the same of themselves. */
export interface DeviceKind {
  model: string;
  firmware: string | null;
  /** What the device's own hello named; empty until it has said one. */
  capabilities: readonly string[];
  /** How many doors it has, by its model or its own word; null where neither says. */
  doorCount: number | null;
}

/** A device that an action goes to. */
export interface ActionDevice extends DeviceKind {
  id: string;
  mac: string;
}

/** What a device says of itself when it is back. */
export interface DeviceHello {
  boot: string;
  firmware: string;
}

/** Bytes that a device loads, and what it checks them by. */
export interface FilePart {
  /** Of the stored bytes. */
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
  /** What a device must have at least to take it; null: any. */
  least: string | null;
  whole: SignedPart;
  /** Differential packages: each for devices of one version. Without a format: the maker's. */
  deltas: readonly (SignedPart & { from: string; format?: DeltaFormat })[];
  /** The public key that made the signatures, and what older keys say of it (docs/device-link.md). */
  signedBy: string;
  endorsements: readonly { key: string; signature: string }[];
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
  /** Rises by one with each other content. */
  version: number;
  /** None: any. */
  models: readonly string[];
  whole: FilePart;
}

/** What actions bring to devices, by its noun: the service that keeps it tells of it, and the task service copies it. */
export interface ActionFiles {
  firmware: Firmware;
  resourceFile: ResourceFile;
  configFile: ConfigFile;
}
export type FileNoun = keyof ActionFiles;
export type ActionFile = ActionFiles[FileNoun];

/** What a command that brings a file is made of. */
export interface GivenFile<File = ActionFile> {
  file: File;
  /** Where this device loads a part of it. */
  linkTo(part: FilePart): string;
}

/** Which of several files a device gets: that of its model, of its nearest site upwards, or of its group. */
export interface FileChoice {
  by: 'model' | 'site' | 'group';
  /** Of what, and which file. Of several groups of a device the first one decides. `path` is where the order names it. */
  pairs: readonly { of: string; id: string; path: string }[];
}

/** What fills the placeholders of a reason. */
export type ReasonValues = Readonly<Record<string, string | number>>;

/** Why a device is left out: a code, told to each reader in their own language. */
export interface Refusal<Code extends string = string> {
  code: Code;
  values: ReasonValues;
}

/** The words of an action, in four languages. */
export interface ActionTexts<Param extends string = string, Code extends string = string> {
  name: Text;
  /** What it does to the device, for the confirmation. */
  effect: Text;
  /** The right to do it, as the tree of rights calls it. */
  right: Text;
  /** What the form and the operation log call each parameter. */
  params: Readonly<Record<Param, Text>>;
  /** What they call each value of a parameter that is a choice. */
  choices?: Readonly<Partial<Record<Param, Readonly<Record<string, Text>>>>>;
  /** The action's own reasons to leave a device out. */
  refusals: Readonly<Record<Code, Text>>;
}

/** The schema library is given and not imported: a simulated device knows the actions without its 18 MB. */
type Schemas = typeof z;

/**
 * A thing that a task makes a device do. Everything that differs from action to action is here: no other folder names
 * one, and none switches over their names.
 */
export interface ActionDefinition<
  Key extends string = string,
  Icon extends string = string,
  P extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
  Code extends string = string,
  Noun extends FileNoun = FileNoun,
> {
  /** The `action` of the command on the link, and the capability that a device's hello names. */
  key: Key;
  /** The component of `@tabler/icons-react`; one that is not there does not compile in the console. */
  icon: Icon;
  right: PermissionKey;
  texts: ActionTexts<z.ZodType extends P ? string : keyof z.output<P> & string, Code>;
  /** What a person sets when they create the task. */
  params(schemas: Schemas): P;
  /** Parameters that are right: tests order the action with them. */
  example: z.input<P>;
  /** What goes down to the device. */
  args(schemas: Schemas): A;
  toArgs(params: z.output<P>, device: ActionDevice, given?: GivenFile<ActionFiles[Noun]>): z.input<A>;
  /** The noun of the file that it brings: its parameter `<noun>Id` names one. */
  file?: Noun;
  /** Several files, when it is ordered with more than that one. */
  chooses?(params: z.output<P>): FileChoice | null;
  /** What a device has to do with it, for docs/device-link.md. */
  link: string;
  /** True: at most one such command is in flight for a device. False: it passes them. */
  changesDevice: boolean;
  /** What a device needs for it: one without does not name the action. */
  needs?: 'doors';
  /**
   * True: it is for this moment, as the opening of a door is. It lives `expiresAfterMs` from its order or its due time,
   * whatever else would let it wait; it fails at once where the device is offline, and it is told once.
   */
  isMomentary?: boolean;
  /** True: it loses what is on the device, so that who orders it types how many devices it is for. */
  isDestructive?: boolean;
  /** A command that reached an online device must be answered within this, ms. */
  answerWithinMs: number;
  /** From `accepted` to a final answer, ms. */
  doneWithinMs: number;
  /** How long a command waits for an offline device, ms; of a momentary one how long it lives. */
  expiresAfterMs: number;
  /** Devices told per second and task; 0 is unlimited. */
  perSecond: number;
  /** A further reason to leave out a device that says it is capable, or null; `file` is the one that it would get. */
  refuses?(device: DeviceKind, params: z.output<P>, file?: ActionFiles[Noun]): Refusal<Code> | null;
  /**
   * What a device that has started anew shows by its hello: true that it did it, a code that it failed, undefined
   * nothing of either; `said` when it told its success before it went down. Absent: it does not go down for it, and its
   * answer alone decides.
   */
  backWith?(hello: DeviceHello, said: boolean, file?: ActionFiles[Noun]): true | Code | undefined;
  /** What the simulated device does with the command. */
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

/** Files that a device has of a kind under a name, all of them or none. */
export interface DeviceResource {
  kind: ResourceType;
  name: string;
  files: readonly (LinkedFile & { name: string })[];
}

/** A configuration as a command brings it: beside what the device has, or in its place. */
export interface DeviceConfig {
  version: string;
  mode: 'merge' | 'replace';
  text: string;
}

/** What an action may do to the simulated device that runs it; a real firmware has its own. */
export interface DeviceBody {
  /** Resolves when no call is going on; while it waits, the platform is told so (`accepted` with the code `busy`). */
  idle(): Promise<void>;
  /**
   * Loads a file, from where it stood if it breaks off, and checks it. The answer is what is wrong with it, or null.
   * The platform is told how far it is. With `delta` it is made of what the device runs, where that can be done, and
   * loaded where it can't.
   */
  load(file: SignedFile, version: string, delta?: DeltaFile): Promise<'download' | 'checksum' | 'signature' | null>;
  /** The same for all files of a resource, which are not signed and need room. */
  loadAll(resource: DeviceResource): Promise<'download' | 'checksum' | 'space' | null>;
  /** What was loaded takes the place of what it has of that kind under that name, until a reset. */
  keep(resource: DeviceResource): Promise<void>;
  /** Loads a file that is not signed, and checks it. The answer is its text, or what is wrong. */
  read(file: LinkedFile): Promise<{ text: string } | { wrong: 'download' | 'checksum' }>;
  /**
   * Takes a configuration, from now on and until a reset, and says which keys it does not know; null of what it cannot
   * read, which changes nothing. Its hellos name the version.
   */
  configure(config: DeviceConfig): Promise<readonly { key: string; code: string }[] | null>;
  /** From its next start on it runs this version. */
  install(version: string): Promise<void>;
  /** The version that it runs. */
  firmware(): string;
  /** Goes down and comes back with the given reason in its next hello; the caller is not resumed. */
  restart(boot: 'reboot' | 'reset' | 'upgrade'): void;
  /** Waits, ms of the device's own time. */
  sleep(ms: number): Promise<void>;
  /** What somebody beside the device sees for so long, ms: the simulator's list of devices has it. Lost by a restart. */
  show(sight: string, forMs: number): void;
  /** Opens a door for as long as it stays open, or closes it; false when there is no such door. */
  moveDoor(door: number, command: 'open' | 'close'): boolean;
}

export interface DeviceAnswer {
  status: 'accepted' | 'progress' | 'downloaded' | 'success' | 'fail';
  progress?: number;
  code?: string;
  message?: string;
  data?: unknown;
}

/** What the simulated device does with a command; answers with `answer`, at last with a final status. */
export type DeviceAction<A = Record<string, unknown>> = (
  args: A,
  body: DeviceBody,
  answer: (a: DeviceAnswer) => Promise<void>,
) => Promise<void>;
