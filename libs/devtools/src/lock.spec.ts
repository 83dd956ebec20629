import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { withMachine } from './lock.ts';

/** `./carillon test` holds the machine's lock while it runs this file. */
const held = process.env['CARILLON_MACHINE_HELD'];
beforeAll(() => {
  delete process.env['CARILLON_MACHINE_HELD'];
});
afterAll(() => {
  if (held !== undefined) process.env['CARILLON_MACHINE_HELD'] = held;
});

const holders: ChildProcess[] = [];
afterEach(() => {
  for (const child of holders.splice(0)) child.kill('SIGKILL');
});

/** Starts a process that takes the lock, reports it and holds it until it is killed. */
async function holder(name: string) {
  const source = `
    import { withMachine } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
    await withMachine(
      'a bench',
      () => {
        console.log('held');
        return new Promise(() => setInterval(() => {}, 1000));
      },
      ${JSON.stringify(name)},
    );
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  holders.push(child);
  await once(child.stdout, 'data');
  return child;
}

it("the machine's lock is free again when its holder is killed", async () => {
  const name = `\0carillon-${randomUUID()}`;
  const child = await holder(name);
  let isHeld = false;
  const mine = withMachine(
    'a test',
    () => {
      isHeld = true;
      return Promise.resolve('done');
    },
    name,
  );
  // This process asks later and ends first, so the first one waits by then.
  const other = spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' });
  await once(other, 'exit');
  expect(isHeld).toBe(false);
  child.kill('SIGKILL');
  expect(await mine).toBe('done');
});

it('two callers hold the machine one after the other', async () => {
  const name = `\0carillon-${randomUUID()}`;
  const order: string[] = [];
  const first = await holder(name);
  const run = async (who: string) => {
    order.push(`${who} begins`);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    order.push(`${who} ends`);
  };
  const both = Promise.all(['a', 'b'].map((who) => withMachine(who, () => run(who), name)));
  first.kill('SIGKILL');
  await both;
  expect(order.map((step) => step.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
});
