import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

export interface PrometheusPrograms {
  prometheus: string;
  promtool: string;
}

const missing = 'Prometheus with promtool is missing (Debian: apt-get install prometheus).';

/**
 * Returns Prometheus and promtool of this machine, or unpacked from Debian's package. Installing it would start a
 * service on every address.
 */
export function ensurePrometheus(say: (text: string) => void = () => {}): PrometheusPrograms {
  const cache = join(cacheFolder().folder, 'prometheus');
  for (const folder of [cache, '/usr/bin', '/usr/local/bin']) {
    const found = { prometheus: join(folder, 'prometheus'), promtool: join(folder, 'promtool') };
    if (existsSync(found.prometheus) && existsSync(found.promtool)) return found;
  }
  say('fetching Prometheus');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-prometheus-'));
  try {
    const download = () =>
      spawnSync('apt-get', ['download', '-q', 'prometheus'], { cwd: folder, stdio: 'ignore' }).status === 0;
    if (!download()) {
      spawnSync('apt-get', ['update', '-q'], { stdio: 'ignore' });
      if (!download()) throw new Error(missing);
    }
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.deb'));
    if (spawnSync('dpkg-deb', ['-x', file!, 'content'], { cwd: folder, stdio: 'ignore' }).status !== 0)
      throw new Error(missing);
    rmSync(cache, { recursive: true, force: true });
    // Copied under another name and renamed, because another process may do the same.
    const made = `${cache}.${process.pid}`;
    if (spawnSync('cp', ['-r', join(folder, 'content/usr/bin'), made]).status !== 0) throw new Error(missing);
    renameSync(made, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { prometheus: join(cache, 'prometheus'), promtool: join(cache, 'promtool') };
}

export interface PrometheusServer {
  url: string;
  stop(): Promise<void>;
}

/** Starts Prometheus on loopback with a configuration file. Its data is removed at the end. */
export async function startPrometheus(
  programs: PrometheusPrograms,
  config: string,
  port: number,
): Promise<PrometheusServer> {
  const data = mkdtempSync(join(tmpdir(), 'carillon-prometheus-data-'));
  const child = spawn(
    programs.prometheus,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${data}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 20_000; ;) {
    if (
      await fetch(`${url}/-/ready`).then(
        (r) => r.ok,
        () => false,
      )
    )
      break;
    if (child.exitCode !== null || Date.now() > until) throw new Error('Prometheus did not start');
    await new Promise((r) => {
      setTimeout(r, 100);
    });
  }
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}
