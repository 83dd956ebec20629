import { argon2, createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, getUserInfo, token } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { up } from './lib/instance.ts';

/** One slow hash at the cost of a stored password (`password.service.ts`), which is the minimum for a login. */
const hash = (): Promise<number> => {
  const began = performance.now();
  return new Promise((done, failed) => {
    argon2(
      'argon2id',
      { message: randomBytes(32), nonce: randomBytes(16), tagLength: 32, memory: 19_456, passes: 2, parallelism: 1 },
      (error) => {
        if (error) failed(error);
        else done(performance.now() - began);
      },
    );
  });
};
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

await bench('login: one after the other, and 50 at once', async () => {
  const instance = await up({ devices: 0 });
  try {
    const { admin, client } = JSON.parse(readFileSync(join(instance.data, 'secrets.json'), 'utf8')) as {
      admin: { username: string; password: string };
      client: { id: string; secret: string };
    };
    const { pid } = instance.processes().find((p) => p.name === 'standalone')!;
    const headers = { authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}` };
    const call = createClient({ baseUrl: instance.url, headers: () => headers });
    const password = createHash('md5').update(admin.password).digest('hex');
    const login = async (): Promise<number> => {
      const began = performance.now();
      await call(token, {
        query: {},
        body: { grant_type: 'captcha', scope: 'all', username: admin.username, password },
      });
      return performance.now() - began;
    };
    const read = async (): Promise<number> => {
      const began = performance.now();
      await instance.call(getUserInfo);
      return performance.now() - began;
    };
    for (let i = 0; i < 5; i++) {
      await login();
      await hash();
      await read();
    }

    const [logins, hashes] = [[] as number[], [] as number[]];
    for (let i = 0; i < runs() * 8; i++) {
      logins.push(await login());
      hashes.push(await hash());
    }
    report(
      {
        name: 'login, p95',
        unit: 'ms',
        value: percentile(logins, 0.95),
        atMost: 400,
        beside: { name: 'its hash alone, p95', value: percentile(hashes, 0.95) },
      },
      spread(logins),
    );

    const alone: number[] = [];
    for (let i = 0; i < 100; i++) alone.push(await read());
    const before = memoryOf(pid);
    let most = before;
    const crowd = Array.from({ length: 50 }, login);
    let over = false;
    const all = Promise.all(crowd).finally(() => {
      over = true;
    });
    const beside: number[] = [];
    while (!over) {
      beside.push(await read());
      most = Math.max(most, memoryOf(pid));
    }
    const together = await all;
    report({
      name: 'the last of 50 logins at once',
      unit: 'ms',
      value: Math.max(...together),
      beside: { name: '50 hashes on two cores', value: spread(hashes).median * 25 },
    });
    report(
      {
        name: 'another call while 50 log in, p95',
        unit: 'ms',
        value: percentile(beside, 0.95),
        atMost: 250,
        beside: { name: 'alone, p95', value: percentile(alone, 0.95) },
      },
      spread(beside),
    );
    report({ name: 'memory that 50 logins at once take', unit: 'MiB', value: most - before, atMost: 150 });
  } finally {
    instance.down();
  }
});
