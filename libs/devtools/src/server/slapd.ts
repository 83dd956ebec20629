import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/** OpenLDAP's server with its libraries. */
export interface SlapdProgram {
  file: string;
  modules: string;
  schema: string;
  /** Library folders of an unpacked package. */
  libraries: string[];
}

const missing = 'OpenLDAP is missing (Debian: apt-get install slapd).';

function programIn(root: string): SlapdProgram | undefined {
  const file = [join(root, 'usr/sbin/slapd'), join(root, 'usr/libexec/slapd')].find((path) => existsSync(path));
  const schema = ['etc/ldap/schema', 'etc/openldap/schema'].map((path) => join(root, path)).find(existsSync);
  const modules = ['usr/lib/ldap', 'usr/lib64/openldap', 'usr/lib/openldap']
    .map((path) => join(root, path))
    .find((path) => existsSync(path));
  if (file === undefined || schema === undefined || modules === undefined) return undefined;
  const lib = join(root, 'usr/lib');
  const libraries =
    root === '/'
      ? []
      : [lib, ...readdirSync(lib).map((name) => join(lib, name))].filter((path) => /-linux-gnu/.test(path));
  return { file, modules, schema, libraries };
}

/**
 * Returns `slapd` of this machine, or unpacked from Debian's package with missing libraries. Installing it would create
 * a directory and start a service on every address.
 */
export function ensureSlapd(say: (text: string) => void = () => {}): SlapdProgram {
  const cache = join(cacheFolder().folder, 'slapd');
  for (const root of [cache, '/']) {
    const found = programIn(root);
    if (found) return found;
  }
  say('fetching OpenLDAP');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-slapd-'));
  try {
    const archives = join(folder, 'archives');
    mkdirSync(join(archives, 'partial'), { recursive: true });
    // The packages are only unpacked into a folder, not installed.
    const fetch = () =>
      spawnSync(
        'apt-get',
        [
          'install',
          '-y',
          '-q',
          '--no-install-recommends',
          '--download-only',
          '-o',
          `Dir::Cache::archives=${archives}`,
          '-o',
          'Debug::NoLocking=1',
          'slapd',
        ],
        { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } },
      ).status === 0;
    if (!fetch()) {
      spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
      if (!fetch()) throw new Error(missing);
    }
    const content = join(folder, 'content');
    mkdirSync(content);
    for (const name of readdirSync(archives).filter((file) => file.endsWith('.deb')))
      if (spawnSync('dpkg-deb', ['-x', join(archives, name), content], { stdio: 'ignore' }).status !== 0)
        throw new Error(missing);
    rmSync(cache, { recursive: true, force: true });
    // Copied under another name and renamed, because another process may do the same.
    const made = `${cache}.${process.pid}`;
    if (spawnSync('cp', ['-r', content, made]).status !== 0) throw new Error(missing);
    renameSync(made, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const unpacked = programIn(cache);
  if (!unpacked) throw new Error(missing);
  return unpacked;
}

export interface SlapdOptions {
  dir: string;
  port: number;
  tlsPort: number;
  suffix: string;
  rootDn: string;
  rootPassword: string;
  /** Paths of PEM files. */
  certificate: string;
  key: string;
  /** Additional configuration lines of the database. */
  database?: readonly string[];
  /** Initial entries. */
  ldif?: string;
}

export interface SlapdServer {
  pid: number;
  process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a real `slapd` on loopback, with its data in `dir`. */
export async function startSlapd(options: SlapdOptions, program: SlapdProgram = ensureSlapd()): Promise<SlapdServer> {
  const { dir, port, tlsPort, suffix, rootDn, rootPassword, certificate, key, database = [], ldif } = options;
  const data = join(dir, 'data');
  const config = join(dir, 'slapd.conf');
  const fresh = !existsSync(data);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeFileSync(
    config,
    [
      ...['core', 'cosine', 'inetorgperson'].map((name) => `include ${join(program.schema, `${name}.schema`)}`),
      `modulepath ${program.modules}`,
      'moduleload back_mdb',
      `pidfile ${join(dir, 'slapd.pid')}`,
      `argsfile ${join(dir, 'slapd.args')}`,
      `TLSCertificateFile ${certificate}`,
      `TLSCertificateKeyFile ${key}`,
      'database mdb',
      `suffix "${suffix}"`,
      `rootdn "${rootDn}"`,
      `rootpw ${rootPassword}`,
      `directory ${data}`,
      'maxsize 268435456',
      'dbnosync',
      ...database,
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  const env = { PATH: '/usr/bin:/bin', LD_LIBRARY_PATH: program.libraries.join(':') };
  if (fresh && ldif !== undefined) {
    const file = join(dir, 'first.ldif');
    writeFileSync(file, ldif);
    const { status, stderr } = spawnSync(program.file, ['-q', '-f', config, '-l', file], {
      argv0: 'slapadd',
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`slapadd: ${stderr}`);
  }
  const urls = `ldap://127.0.0.1:${port}/ ldaps://127.0.0.1:${tlsPort}/`;
  // `-d 0` keeps it in the foreground.
  const child = spawn(program.file, ['-d', '0', '-h', urls, '-f', config], {
    argv0: 'slapd',
    cwd: dir,
    stdio: ['ignore', 'ignore', 'ignore'],
    env,
  });
  let ended = false;
  const exited = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error'])
      child.once(event, () => {
        ended = true;
        resolve();
      });
  });
  const until = Date.now() + 15_000;
  while (!(await listens(port))) {
    if (ended || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`slapd did not start on port ${port}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return {
    pid: child.pid!,
    process: child,
    async stop() {
      if (ended) return;
      // A stopped process handles no other signal.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
