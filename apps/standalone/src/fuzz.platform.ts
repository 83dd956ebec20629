import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { bladeUserInfo } from '@carillon/contracts';
import { ensureSchemathesis } from '@carillon/devtools/schemathesis';
import { logIn, Platform, projectRoot } from '@carillon/testing/platform';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Seconds of Schemathesis per login; 0 in CI, more with `./carillon test fuzz`. */
    fuzz: number;
  }
}

/**
 * Runs Schemathesis on the API description with every check, except those that schemathesis.toml disables with a
 * reason.
 */
const seconds = inject('fuzz');
const on = seconds > 0;
const tools = join(projectRoot, 'deploy/tools/fuzz');
const folder = mkdtempSync(join(tmpdir(), 'carillon-fuzz-'));
let program: string;
let platform: Platform;

beforeAll(async () => {
  if (!on) return;
  program = ensureSchemathesis((text) => process.stdout.write(`  ${text}\n`));
  platform = await Platform.start({
    name: 'z',
    devices: 5,
    env: {
      CARILLON_LOGINS_PER_MINUTE: '0',
      CARILLON_PUBLIC_CALLS_PER_MINUTE: '0',
      CARILLON_SESSION_CALLS_PER_MINUTE: '0',
      CARILLON_COMPANY_CALLS_PER_MINUTE: '0',
    },
  });
}, 600_000);
afterAll(async () => {
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the failures and errors of a report, without the long lists of calls in its warnings. */
function findingsIn(report: string): string {
  const [from, to] = [/^=+ (?:ERRORS|FAILURES) =+$/m, /^=+ WARNINGS =+$/m].map((title) => report.search(title));
  return report.slice(Math.max(0, from!), to === -1 ? undefined : to);
}

/** Runs the fuzzer. Returns its findings and the number of calls. */
async function fuzz(headers: Record<string, string>): Promise<{ found: string; calls: number }> {
  const args = [
    '--config-file',
    join(tools, 'schemathesis.toml'),
    'run',
    `${platform.ready.url}/api/openapi.json`,
    '--checks',
    'all',
    // schemathesis.toml has the reason.
    '--exclude-checks',
    'positive_data_acceptance',
    '--continue-on-failure',
    '--no-color',
    '--max-time',
    String(seconds),
    '--request-timeout',
    '30',
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
  ];
  let answer = '';
  const env = { ...process.env, SCHEMATHESIS_HOOKS: join(tools, 'hooks.py') };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      answer += text.toString();
    });
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed).once('close', done);
  });
  const calls = Number(/(\d+) generated/.exec(answer)?.[1] ?? 0);
  process.stdout.write(`  ${calls} calls${/\n {2}Seed: .*|\nSeed: .*/.exec(answer)?.[0] ?? ''}\n`);
  return { found: code === 0 ? '' : findingsIn(answer).slice(0, 20_000), calls };
}

it.runIf(on)(
  'a fuzzer without a login finds nothing in any call [SYS-06/fuzz]',
  async () => {
    const { found, calls } = await fuzz({});
    expect(found).toBe('');
    expect(calls).toBeGreaterThan(1_000);
  },
  3_600_000,
);

it.runIf(on)(
  'a fuzzer as an administrator finds nothing in any call, and everything still works [SYS-06/fuzz]',
  async () => {
    const { client } = platform.ready;
    const { found, calls } = await fuzz({
      'Carillon-Token': await logIn(platform.ready),
      Authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
    });
    expect(found).toBe('');
    expect(calls).toBeGreaterThan(1_000);
    expect((await platform.call(bladeUserInfo, {})).username).toBe('admin');
    const { ready } = await platform.status();
    expect(ready).toBe(true);
  },
  3_600_000,
);
