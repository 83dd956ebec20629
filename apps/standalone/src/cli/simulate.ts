import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { alive, dataFolder, projectRoot, readState, type RunState } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { phoneSimulator, simulatorParts, type SimulatorPart } from './simulator.ts';
import { Trouble } from './trouble.ts';

interface SimulateOptions {
  data?: string;
  devices: number;
  behaviour?: string;
  /** Makers of phones over HTTP, separated by commas. */
  kind?: string;
  sipPort: number;
}

/**
 * Simulates devices against a running instance until a signal comes: those of the demo company, if the instance runs no
 * simulator itself, or with `kind` phones as they are sold, which know only the server's address.
 */
export async function simulate(options: SimulateOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const { kind } = options;
  const parts = kind === undefined ? demoParts(folder, state, options) : [phonePart(folder, state, options, kind)];
  await prepare((text) => process.stderr.write(`  ${text}\n`));
  process.exitCode = await runParts(parts);
}

function phonePart(
  folder: string,
  { phones: server, phoneCertificate: certificate }: RunState,
  { devices, behaviour, sipPort }: SimulateOptions,
  kind: string,
): SimulatorPart {
  if (server === undefined)
    throw new Trouble('An older version started this installation; run `./carillon down` and `./carillon up`.');
  return phoneSimulator(folder, { kind, devices, server, certificate, sipPort, behaviour });
}

function demoParts(folder: string, state: RunState, { devices, behaviour }: SimulateOptions): SimulatorPart[] {
  if (alive(state.processes['simulator'], folder))
    throw new Trouble('The simulated devices of `up` are running already; `./carillon up --devices N` says how many.');
  if (!existsSync(join(folder, 'simulator-devices.jsonl')))
    throw new Trouble('This installation has no simulated devices; start it once with `--devices N`.');
  const { hostname, port } = new URL(state.mqtt);
  return simulatorParts(folder, { devices, host: hostname, port, behaviour });
}

/** Runs the processes until they have ended. Returns the highest exit code. */
async function runParts(parts: readonly SimulatorPart[]): Promise<number> {
  const children = parts.map(({ args }) =>
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
  return Math.max(...codes);
}
