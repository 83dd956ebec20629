import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { dataFolder, projectRoot, readSecrets, readState } from './data-folder.ts';
import { Trouble } from './trouble.ts';

/**
 * Takes screenshots of every screen of the running instance, in four languages and both color schemes. The instance
 * must have at least one task; this function creates nothing.
 */
export async function shots(
  folder: string,
  options: { data?: string; languages?: string; schemes?: string; widths?: string; only?: string },
): Promise<void> {
  const data = dataFolder(options.data);
  const state = readState(data);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const { admin } = readSecrets(data, uuidv7);
  const chosen = (['languages', 'schemes', 'widths', 'only'] as const).flatMap((name) =>
    options[name] === undefined ? [] : [`--${name}`, options[name]],
  );
  const child = spawn(
    process.execPath,
    [
      '--conditions=carillon-source',
      '--disable-warning=ExperimentalWarning',
      join(projectRoot, 'apps/console/shots.ts'),
      '--url',
      state.url,
      '--out',
      resolve(folder),
      ...chosen,
    ],
    {
      // Passed in the environment because every user of the machine can read arguments. Set both variables yourself
      // when the administrator's password was changed.
      env: { CARILLON_SHOTS_USER: admin.username, CARILLON_SHOTS_PASSWORD: admin.password, ...process.env },
      stdio: 'inherit',
      cwd: projectRoot,
    },
  );
  process.exitCode = await new Promise<number>((r) => {
    child.on('exit', (code) => r(code ?? 1));
  });
}
