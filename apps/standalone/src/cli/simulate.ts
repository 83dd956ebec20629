import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { alive, dataFolder, projectRoot, readState } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { simulatorParts } from './simulator.ts';
import { Trouble } from './trouble.ts';

/** Simulates the demo company's devices against a running instance that runs no simulator itself. */
export async function simulate(options: { data?: string; devices: number; behaviour?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  if (alive(state.processes['simulator'], folder))
    throw new Trouble('The simulated devices of `up` are running already; `./carillon up --devices N` says how many.');
  const file = join(folder, 'simulator-devices.jsonl');
  if (!existsSync(file))
    throw new Trouble('This installation has no simulated devices; start it once with `--devices N`.');
  await prepare((text) => process.stderr.write(`  ${text}\n`));
  const { hostname, port } = new URL(state.mqtt);
  const children = simulatorParts(folder, {
    devices: options.devices,
    host: hostname,
    port,
    behaviour: options.behaviour,
  }).map(({ args }) =>
    spawn(process.execPath, ['--max-semi-space-size=8', join(projectRoot, 'dist/simulator/main.js'), ...args], {
      stdio: 'inherit',
    }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      for (const child of children) child.kill(signal);
    });
  const codes = await Promise.all(
    children.map(
      (child) =>
        new Promise<number>((resolve) => {
          child.on('exit', (code) => resolve(code ?? 1));
        }),
    ),
  );
  process.exitCode = Math.max(...codes);
}
