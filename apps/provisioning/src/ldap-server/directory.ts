import { X509Certificate } from 'node:crypto';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, rootCertificates, type ConnectionOptions } from 'node:tls';
import {
  AdminLimitExceededError,
  AndFilter,
  BusyError,
  Client,
  ConfidentialityRequiredError,
  FilterParser,
  InappropriateAuthError,
  InsufficientAccessError,
  InvalidCredentialsError,
  InvalidDNSyntaxError,
  NoSuchObjectError,
  OrFilter,
  PagedResultsControl,
  PresenceFilter,
  ResultCodeError,
  SizeLimitExceededError,
  StrongAuthRequiredError,
  SubstringFilter,
  TimeLimitExceededError,
  UnavailableError,
  type Entry,
  type Filter,
} from 'ldapts';
import { ldapFields, type LdapField, type LdapSecurity } from '@carillon/contracts';
import { Failure, type Outbound } from '@carillon/service';
import { comparedName, parseName } from './distinguished-name.ts';

/** Usual ports of LDAP servers, including the global catalogue of Active Directory. */
export const ldapPorts = [389, 636, 3268, 3269] as const;

export interface DirectorySettings {
  host: string;
  port: number;
  security: LdapSecurity;
  checkCertificate: boolean;
  ca: string | null;
  userName: string;
  password: string;
  base: string;
  filter: string;
  attributes: Readonly<Record<LdapField, string>>;
}
export type Read = Record<LdapField, string>;
export interface ReadEntry extends Read {
  dn: string;
  /** The directory's own id of the entry, else its DN. */
  entry: string;
}

interface Bounds {
  /** Time limit for all of it, including the DNS lookup, in milliseconds. */
  withinMs: number;
  /** Maximum number of bytes from the server. */
  bytes: number;
}

/** Timeout for a connection, and for each answer (docs/attack-cases.md, X37). */
const answerMs = 10_000;
/** The client reports errors to the waiting call; a later one must not end the process. */
const ignored = (): void => undefined;
const longest: Readonly<Record<LdapField, number>> = {
  name: 128,
  number: 64,
  mailbox: 254,
  department: 128,
  supervisor: 128,
  adAccount: 128,
};
/** Pages without entries in one search: a server that sends them without end must not keep a sync busy. */
const mostEmptyPages = 1_000;
/** Longest distinguished name that is compared. A supervisor is cut to its column only after the look-up. */
const longestName = 4_096;

export function filterOf(text: string): Filter | undefined {
  if (text === '') return new PresenceFilter({ attribute: 'objectClass' });
  try {
    return FilterParser.parseString(text);
  } catch {
    return undefined;
  }
}

export function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** Selects entries with a number and a name. The search is a value and never part of the filter's syntax. */
function wanted({ filter, attributes }: DirectorySettings, search = ''): Filter {
  const filters = [
    filterOf(filter) ?? fault('ldapServer.filterWrong'),
    new PresenceFilter({ attribute: attributes.name }),
  ];
  if (search !== '')
    filters.push(
      new OrFilter({
        filters: [attributes.name, attributes.number].map(
          (attribute) => new SubstringFilter({ attribute, any: [search] }),
        ),
      }),
    );
  return new AndFilter({ filters });
}

const fault = (...about: ConstructorParameters<typeof Failure>): never => {
  throw new Failure(...about);
};

/** Returns a value as readable text: without control characters, and cut to the column's length. */
function clean(value: unknown, most: number): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string'
    ? first
        .toWellFormed()
        .normalize('NFC')
        .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
        .trim()
        .slice(0, most)
        .toWellFormed()
        .trim()
    : '';
}

const uuidOf = (bytes: Buffer): string => bytes.toString('hex');

/** The part of the library's internal response that {@link readEmptyPages} needs. */
interface SentSearch {
  searchEntries?: unknown[];
  searchReferences?: { uris: string[] }[];
  controls?: unknown[];
}

/**
 * Makes the client continue after a page without entries. A search ends with an empty cookie (RFC 2696), and servers
 * that filter after paging send empty pages in between, but the library stops at one. An empty reference makes it treat
 * the page as one with content.
 */
function readEmptyPages(client: Client): void {
  const internal = client as unknown as { _send(message: unknown): Promise<SentSearch | undefined> };
  const send = internal._send.bind(client);
  internal._send = async (message) => {
    const answer = await send(message);
    const more = answer?.controls?.some((c) => c instanceof PagedResultsControl && (c.value?.cookie?.length ?? 0) > 0);
    if (more && answer?.searchEntries?.length === 0) answer.searchReferences?.push({ uris: [] });
    return answer;
  };
}

/** A logged-in connection inside of {@link withDirectory}. */
export class Directory {
  private readonly client: Client;
  private readonly settings: DirectorySettings;

  constructor(client: Client, settings: DirectorySettings) {
    this.client = client;
    this.settings = settings;
  }

  /** Yields the mapped entries, a page at a time. */
  async *pages(pageSize: number, search?: string): AsyncGenerator<ReadEntry[]> {
    const { base, attributes } = this.settings;
    const asked = [...new Set([...Object.values(attributes).filter((name) => name !== ''), 'entryUUID', 'objectGUID'])];
    const pages = this.client.searchPaginated(base, {
      scope: 'sub',
      filter: wanted(this.settings, search),
      attributes: asked,
      explicitBufferAttributes: ['objectGUID'],
      paged: { pageSize },
    });
    let empty = 0;
    for await (const { searchEntries } of pages) {
      if (searchEntries.length === 0 && ++empty > mostEmptyPages) fault('ldapServer.limitReached');
      yield searchEntries.flatMap((entry) => this.read(entry) ?? []);
    }
  }

  private read(entry: Entry): ReadEntry | undefined {
    const values = new Map(Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value]));
    const valueOf = (field: LdapField): string =>
      clean(
        values.get(this.settings.attributes[field].toLowerCase()),
        field === 'supervisor' ? longestName : longest[field],
      );
    const read = Object.fromEntries(ldapFields.map((field) => [field, valueOf(field)])) as Read;
    if (read.name === '') return undefined;
    const guid = values.get('objectguid');
    const uuid = clean(values.get('entryuuid'), 64);
    const own = Buffer.isBuffer(guid) && guid.length > 0 ? uuidOf(guid) : uuid;
    return { ...read, dn: entry.dn, entry: own === '' ? entry.dn.toLowerCase().slice(0, 1_024) : own };
  }
}

/**
 * Replaces each supervisor that is a distinguished name by the name of that entry among `by`, or by the first value of
 * the distinguished name.
 */
export function nameSupervisors(entries: readonly ReadEntry[], by: readonly ReadEntry[] = entries): void {
  const names = new Map(by.map(({ dn, name }) => [comparedName(dn), name]));
  for (const entry of entries) {
    const first = parseName(entry.supervisor)?.[0]?.[0];
    const named = first && (names.get(comparedName(entry.supervisor)) ?? first.value);
    entry.supervisor = clean(named ?? entry.supervisor, longest.supervisor);
  }
}

/**
 * Connects to an address that the operator allows, encrypts, logs in, and works within the limits. Every error becomes
 * a {@link Failure} with a plain message. It connects only once: a silent reconnect would have neither login nor
 * encryption.
 */
export async function withDirectory<T>(
  outbound: Outbound,
  settings: DirectorySettings,
  { withinMs, bytes }: Bounds,
  work: (directory: Directory) => Promise<T>,
): Promise<T> {
  let socket: Socket | undefined;
  let tooMuch = false;
  const timers: NodeJS.Timeout[] = [];
  const over = (ms: number): Promise<never> =>
    new Promise((_, reject) => {
      timers.push(setTimeout(() => reject(new Failure('ldapServer.tooSlow')), ms));
    });
  const once = (made: () => Socket): Socket => {
    if (socket) throw new Failure('ldapServer.unreachable');
    socket = made().on('error', ignored);
    timers.push(
      setInterval(() => {
        if (socket!.bytesRead <= bytes) return;
        tooMuch = true;
        socket!.destroy();
      }, 50),
    );
    return socket;
  };
  const open = async (): Promise<Directory> => {
    if (settings.password === '') fault('ldapServer.passwordEmpty');
    const { host, port, security } = settings;
    const address =
      (await outbound.address({ host, port })) ??
      fault('ldapServer.targetRefused', {}, [{ path: 'host', error: 'ldapServer.targetRefused' }]);
    const tls: ConnectionOptions = {
      rejectUnauthorized: settings.checkCertificate,
      ...(isIP(host.replace(/^\[|\]$/g, '')) ? {} : { servername: host }),
      ...(settings.ca === null ? {} : { ca: [...rootCertificates, settings.ca] }),
    };
    const client = new Client({
      url: `${security === 'ldaps' ? 'ldaps' : 'ldap'}://${isIP(address) === 6 ? `[${address}]` : address}:${port}`,
      connectTimeout: answerMs,
      timeout: answerMs,
      ...(security === 'ldaps' ? { tlsOptions: tls } : {}),
      createConnection: (() => once(() => connectTcp(port, address))) as never,
      // StartTLS upgrades the existing connection.
      createSecureConnection: ((...given: unknown[]) =>
        given.length === 1
          ? connectTls(given[0] as ConnectionOptions).on('error', ignored)
          : once(() => connectTls({ ...tls, port, host: address }))) as never,
    });
    if (security === 'starttls')
      await client.startTLS({ ...tls, host: address }).catch((error: unknown) => {
        throw error instanceof ResultCodeError ? new Failure('ldapServer.tlsFailed') : error;
      });
    await client.bind(settings.userName, settings.password);
    readEmptyPages(client);
    return new Directory(client, settings);
  };
  const run = async (): Promise<T> => work(await Promise.race([open(), over(Math.min(answerMs, withinMs))]));
  try {
    return await Promise.race([run(), over(withinMs)]);
  } catch (error) {
    throw tooMuch ? new Failure('ldapServer.limitReached') : plain(error);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket?.destroy();
  }
}

const certificateCodes =
  /^(CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;
const gone = /^(ECONN|EHOST|ENET|EPIPE|ETIMEDOUT|EADDR|ENOTFOUND|EAI_)/;
const kinds: readonly (readonly [readonly (abstract new (...given: never[]) => Error)[], Failure['key']])[] = [
  [[InvalidCredentialsError, InappropriateAuthError], 'ldapServer.credentialsWrong'],
  [[NoSuchObjectError, InvalidDNSyntaxError], 'ldapServer.baseWrong'],
  [[ConfidentialityRequiredError, StrongAuthRequiredError], 'ldapServer.encryptionNeeded'],
  [[InsufficientAccessError], 'ldapServer.accessRefused'],
  [[SizeLimitExceededError, AdminLimitExceededError, TimeLimitExceededError], 'ldapServer.limitReached'],
  [[BusyError, UnavailableError], 'ldapServer.unavailable'],
];

/** Maps a server's error to a plain message; its own text is used only when there is none. */
function plain(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as Error & { code?: unknown };
  const reason = message
    .replaceAll(/[\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 200);
  const kind = kinds.find(([types]) => types.some((type) => error instanceof type))?.[1];
  if (kind) return new Failure(kind);
  if (typeof code === 'string' && certificateCodes.test(code))
    return new Failure('ldapServer.certificateWrong', { reason });
  if (typeof code === 'string' && /^(ERR_SSL|EPROTO|ERR_TLS)/.test(code)) return new Failure('ldapServer.tlsFailed');
  if (/time ?out/i.test(message)) return new Failure('ldapServer.tooSlow');
  if ((typeof code === 'string' && gone.test(code)) || !(error instanceof ResultCodeError))
    return new Failure('ldapServer.unreachable');
  return new Failure('ldapServer.refused', { reason });
}
