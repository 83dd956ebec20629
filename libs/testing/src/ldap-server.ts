import { type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { startSlapd, type SlapdServer } from '@carillon/devtools/slapd';
import { Attribute, Change, Client } from 'ldapts';
import { generate } from 'selfsigned';
import { guard } from './guard.ts';

/** Attributes of a person by name; a list for several values. */
export type Person = Record<string, string | string[]>;

/** A real OpenLDAP for one test file, with controls for faults. */
export interface TestLdap {
  port: number;
  tlsPort: number;
  host: string;
  base: string;
  user: string;
  password: string;
  /** The CA certificate of its own certificate, in PEM; no system trusts it. */
  ca: string;
  dnOf(uid: string): string;
  add(uid: string, person?: Person): Promise<void>;
  change(uid: string, change: Person): Promise<void>;
  remove(...uids: string[]): Promise<void>;
  /** SIGSTOP: it accepts connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const base = 'dc=example,dc=com';
const user = `cn=reader,${base}`;
const password = 'Reader-Secret-1';

/** Formats a value as LDIF; ambiguous values are base64. */
const line = (name: string, value: string): string =>
  /^[\x21-\x39\x3b\x3d-\x7e][\x20-\x7e]*$/.test(value)
    ? `${name}: ${value}`
    : `${name}:: ${Buffer.from(value).toString('base64')}`;
const withWhole = (uid: string, person: Person): Person => ({
  objectClass: ['inetOrgPerson'],
  uid,
  cn: `Person ${uid}`,
  sn: uid,
  ...person,
});

/**
 * Starts the server. `people` are loaded at the start (thousands take a second); `database` are lines of its
 * configuration.
 */
export async function testLdap(
  people: Readonly<Record<string, Person>> = {},
  { database = [] as readonly string[] } = {},
): Promise<TestLdap> {
  const dir = mkdtempSync(join(tmpdir(), 'carillon-ldap-'));
  const [port, tlsPort] = [await freePort(), await freePort()];
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      { name: 'basicConstraints', cA: true },
    ],
  });
  writeFileSync(join(dir, 'certificate.pem'), cert);
  writeFileSync(join(dir, 'key.pem'), key, { mode: 0o600 });
  const rootDn = `cn=admin,${base}`;
  const rootPassword = 'Root-Secret-1';
  const dnOf = (uid: string): string => `uid=${uid},ou=people,${base}`;
  const entry = (dn: string, attributes: Person): string =>
    [
      line('dn', dn),
      ...Object.entries(attributes).flatMap(([name, values]) => [values].flat().map((value) => line(name, value))),
      '',
      '',
    ].join('\n');
  const ldif =
    entry(base, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' }) +
    entry(user, { objectClass: ['organizationalRole', 'simpleSecurityObject'], cn: 'reader', userPassword: password }) +
    entry(`ou=people,${base}`, { objectClass: 'organizationalUnit', ou: 'people' }) +
    Object.entries(people)
      .map(([uid, person]) => entry(dnOf(uid), withWhole(uid, person)))
      .join('');
  let server: SlapdServer;
  let watched: ChildProcess;
  const start = async (): Promise<void> => {
    server = await startSlapd({
      dir,
      port,
      tlsPort,
      suffix: base,
      rootDn,
      rootPassword,
      certificate: join(dir, 'certificate.pem'),
      key: join(dir, 'key.pem'),
      // A typical directory: authenticated users read pages without a total limit.
      database: ['limits users size.pr=1000 size.prtotal=unlimited size=1000', ...database],
      ldif,
    });
    watched = guard(server.pid, 'slapd', dir);
    server.process.unref();
  };
  const kill = async (): Promise<void> => {
    await server.stop();
    watched.kill('SIGKILL');
  };
  await start();
  const asRoot = async (work: (client: Client) => Promise<void>): Promise<void> => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` });
    await client.bind(rootDn, rootPassword);
    try {
      await work(client);
    } finally {
      await client.unbind();
    }
  };
  return {
    port,
    tlsPort,
    host: 'localhost',
    base,
    user,
    password,
    ca: cert,
    dnOf,
    add: (uid, person = {}) => asRoot((client) => client.add(dnOf(uid), withWhole(uid, person))),
    change: (uid, change) =>
      asRoot((client) =>
        client.modify(
          dnOf(uid),
          Object.entries(change).map(
            ([type, values]) =>
              new Change({ operation: 'replace', modification: new Attribute({ type, values: [values].flat() }) }),
          ),
        ),
      ),
    remove: (...uids) =>
      asRoot(async (client) => {
        for (const uid of uids) await client.del(dnOf(uid));
      }),
    freeze: () => void process.kill(server.pid, 'SIGSTOP'),
    thaw: () => void process.kill(server.pid, 'SIGCONT'),
    kill,
    start,
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
