import { spawn, type ChildProcess } from 'node:child_process';

/** Ends the named server when this process was killed: the guard's standard input ends with it. */
export function guard(pid: number, name: string, dir: string): ChildProcess {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `cat >/dev/null; grep -q ${name} /proc/${pid}/cmdline 2>/dev/null && kill -9 ${pid}; rm -rf "$1"`,
      'guard',
      dir,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  child.stdin!.on('error', () => {});
  return child;
}
