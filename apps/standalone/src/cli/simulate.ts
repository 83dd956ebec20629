import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { alive, dataFolder, projectRoot, readState } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { Trouble } from './trouble.ts';

/** Simulated devices of the demo company against a running instance whose own simulator is not running. */
export async function simulate(options: { data?: string; devices: number; behaviour?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  if (alive(state.processes['simulator'], folder)) throw new Trouble('The simulated devices of `up` are running already; `./carillon up --devices N` says how many.');
  const file = join(folder, 'simulator-devices.jsonl');
  if (!existsSync(file)) throw new Trouble('This installation has no simulated devices; start it once with `--devices N`.');
  await prepare((text) => process.stderr.write(`  ${text}\n`));
  const { hostname, port } = new URL(state.mqtt);
  const child = spawn(process.execPath, [join(projectRoot, 'dist/simulator/main.js'), '--file', file, '--devices', String(options.devices), '--state', join(folder, 'simulator'), '--host', hostname, '--port', port, '--control', join(folder, 'run', 'simulator.sock'), ...(options.behaviour ? ['--behaviour', options.behaviour] : [])], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>((resolve) => { child.on('exit', (code) => resolve(code ?? 1)); });
}
