import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { testPostgres } from '@carillon/testing/postgres';

const { values } = parseArgs({
  options: { clients: { type: 'string', default: '500' }, mb: { type: 'string', default: '100' } },
  strict: false,
});
const [clients, megabytes] = [Number(values['clients']), Number(values['mb'])];

const keys = ['rate', 'cpu', 'memory'] as const;
const root = resolve(import.meta.dirname, '../../..');
const bundles = join(root, 'dist/bench/resource');

interface Subject {
  process: ChildProcess;
  pid: number;
  socket: string;
  links: string[];
  file: string;
}

/**
 * Measures many devices that load one image at once: from the service by its links, and from Node's own server with a
 * stream of the file for each. Both use Unix sockets, like the API gateway.
 */
await bench('download', async () => {
  process.stdout.write(`     ${clients} clients, an image of ${megabytes} MB, all of it each\n`);
  await bundle();
  // The bundle needs it running, because it has no programs beside it.
  await testPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
  const ours = await start('served', [String(megabytes), String(clients)], join(folder, 'ours.sock'));
  const bare = await start('bare', [ours.file], join(folder, 'bare.sock'));
  try {
    const seconds = { ours: figures(), bare: figures() };
    for (let run = 0; run < runs(); run++)
      for (const name of ['ours', 'bare'] as const) {
        const one = await measure({ ours, bare }[name]);
        for (const key of keys) seconds[name][key].push(one[key]);
      }
    for (const [key, unit, what] of [
      ['rate', 'MB/s', 'what all of them get'],
      ['cpu', 'ms', 'processor time of the server for 100 MB'],
      ['memory', 'MB', 'memory that it grew by at most'],
    ] as const)
      report(
        {
          name: what,
          unit,
          value: spread(seconds.ours[key]).median,
          beside: { name: 'bare', value: spread(seconds.bare[key]).median },
        },
        spread(seconds.ours[key]),
      );
    const { min, max } = spread(seconds.bare.memory);
    process.stdout.write(`     memory of the bare server: ${min.toFixed(0)} to ${max.toFixed(0)} MB\n`);
  } finally {
    for (const { process: one } of [ours, bare]) {
      const gone = new Promise((resolve) => one.once('exit', resolve));
      one.kill('SIGTERM');
      await gone;
    }
    rmSync(folder, { recursive: true, force: true });
  }
});

function figures(): Record<(typeof keys)[number], number[]> {
  return { rate: [], cpu: [], memory: [] };
}

/** Bundles the programs of this folder like those of the product. */
async function bundle(): Promise<void> {
  const made = await rolldown({
    input: Object.fromEntries(['served', 'bare'].map((name) => [name, join(import.meta.dirname, `${name}.ts`)])),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.base.json'),
    cwd: root,
    resolve: { conditionNames: ['carillon-source'] },
    external: (id) => !/^(\.|\/|@carillon\/|@oxc-project\/runtime)/.test(id),
  });
  await made.write({ dir: bundles, format: 'esm', keepNames: true, entryFileNames: '[name].js' });
  await made.close();
}

async function start(file: string, args: readonly string[], socket: string): Promise<Subject> {
  const started = spawn(process.execPath, [join(bundles, `${file}.js`), ...args, socket], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const answer = await new Promise<{ links: string[]; file: string }>((resolve, reject) => {
    started.once('message', resolve as never).once('exit', () => reject(new Error(`${file} did not start`)));
  });
  return { process: started, pid: started.pid!, socket, ...answer };
}

/** Returns the CPU time of a process, ms (proc(5): in hundredths of a second). */
function cpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
function memory(pid: number, what: string): number {
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024;
}

async function measure({ pid, socket, links }: Subject): Promise<Record<(typeof keys)[number], number>> {
  // Resets the peak of the memory.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const [cpuBefore, memoryBefore, began] = [cpu(pid), memory(pid, 'VmRSS'), performance.now()];
  const buffer = Buffer.allocUnsafe(262_144);
  const wanted = megabytes * 1_048_576;
  await Promise.all(
    Array.from(
      { length: clients },
      (_, i) =>
        new Promise<void>((resolve, reject) => {
          let length = 0;
          const client = connect({
            path: socket,
            onread: {
              buffer,
              callback: (bytes) => {
                length += bytes;
                return true;
              },
            },
          });
          client
            .on('error', reject)
            .on('close', () => (length > wanted ? resolve() : reject(new Error(`${length} of ${wanted} bytes came`))))
            .write(`GET ${links[i % links.length]} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
        }),
    ),
  );
  const seconds = (performance.now() - began) / 1_000;
  return {
    rate: (clients * megabytes) / seconds,
    cpu: ((cpu(pid) - cpuBefore) / (clients * megabytes)) * 100,
    memory: memory(pid, 'VmHWM') - memoryBefore,
  };
}
