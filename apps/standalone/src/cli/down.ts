import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, existing, forgetState } from './data-folder.ts';
import { end, endLeftovers, postgresOf } from './leftover.ts';
import { holderOf } from './lock.ts';
import { socketFolder } from './postgres.ts';
import { isSimulator } from './simulator.ts';

const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Stops the installation in order, including processes that a killed supervisor left behind. */
export async function down(options: { data?: string }): Promise<void> {
  const folder = dataFolder(options.data);
  if (!existing(folder)) return void process.stdout.write('Nothing was running.\n');
  let ended = 0;
  const holder = await holderOf(folder);
  if (holder !== undefined) {
    process.kill(holder, 'SIGTERM');
    ended++;
    // The supervisor gives each process 25 s. Its lock name is free when it has ended.
    for (const until = Date.now() + 90_000; (await holderOf(folder)) === holder && Date.now() < until;) await wait(20);
    await end(holder, 'main', 'SIGKILL', 5_000);
  }
  ended += await endLeftovers(folder);
  const postgres = postgresOf(folder);
  if (await end(postgres, join(folder, 'postgres'), 'SIGINT', 60_000)) ended++;
  rmSync(socketFolder(folder), { recursive: true, force: true });
  for (const name of ['services', 'ops']) rmSync(join(folder, 'run', name), { recursive: true, force: true });
  const run = join(folder, 'run');
  for (const name of existsSync(run) ? readdirSync(run).filter(isSimulator) : [])
    rmSync(join(run, name), { force: true });
  forgetState(folder);
  process.stdout.write(ended > 0 ? 'Carillon has stopped.\n' : 'Nothing was running.\n');
}
