import { dirname } from 'node:path';
import { execute, projectFolder } from './cached-tool.ts';

export interface Docker {
  /** Whether this is a private engine whose images are built from packages. */
  own: boolean;
  /** Environment for `docker`. */
  env: NodeJS.ProcessEnv;
  /** Runs `docker …`. Returns its output; throws an error with its messages when it fails. */
  run(args: readonly string[], options?: { cwd?: string; env?: NodeJS.ProcessEnv; quiet?: boolean }): Promise<string>;
  /** Runs a script that calls `docker`. */
  runFile(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string>;
  stop(): Promise<void>;
}

export function client(env: NodeJS.ProcessEnv, own: boolean, program: string, stop: () => Promise<void>): Docker {
  return {
    own,
    env,
    stop,
    runFile: (file, args, more) =>
      execute(file, args, {
        cwd: projectFolder,
        env: { ...env, PATH: `${dirname(program)}:${process.env['PATH']}`, ...more },
      }),
    run: (args, options = {}) =>
      execute(program, args, {
        cwd: options.cwd ?? projectFolder,
        env: { ...env, DOCKER_BUILDKIT: '1', ...options.env },
      }),
  };
}
