import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@carillon/testing/platform';

/** Returns a Python with the stock MQTT library, installed once per clone. */
async function pythonWithPaho(): Promise<string> {
  const folder = join(projectRoot, 'node_modules/.cache/carillon-python');
  const run = (program: string, ...args: string[]): Promise<void> =>
    new Promise((done, reject) => {
      const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
      let said = '';
      child.stderr.on('data', (text: Buffer) => {
        said += text.toString();
      });
      child
        .on('error', reject)
        .on('exit', (code) => (code === 0 ? done() : reject(new Error(`${program} ${args.join(' ')}: ${said}`))));
    });
  if (!existsSync(join(folder, 'installed'))) {
    await run('python3', '-m', 'venv', '--clear', folder);
    await run(join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', 'paho-mqtt==2.1.0');
    writeFileSync(join(folder, 'installed'), '');
  }
  return join(folder, 'bin/python3');
}

interface PythonDevice {
  folder: string;
  mac: string;
  secret: string;
  /** Address of the MQTT server. */
  url: string;
  rebootSeconds: number;
}

/** Starts the device of docs/examples. Returns its process and the path of the file that keeps its state. */
export async function pythonDevice({
  folder,
  mac,
  secret,
  url,
  rebootSeconds,
}: PythonDevice): Promise<{ child: ChildProcess; state: string }> {
  const program = await pythonWithPaho();
  const [secretFile, state] = [join(folder, 'secret'), join(folder, 'state.json')];
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 });
  const args = ['--port', new URL(url).port, '--mac', mac, '--secret-file', secretFile, '--state', state];
  const child = spawn(
    program,
    [join(projectRoot, 'docs/examples/device.py'), ...args, '--reboot-seconds', String(rebootSeconds)],
    { stdio: 'inherit' },
  );
  return { child, state };
}
