import { createHash } from 'node:crypto';
import { activateByPassword, addCompany, createClient, listDevices, token, type Client } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { up, type Instance } from './lib/instance.ts';

/**
 * Measures what a company notices while a session of another one asks for 20 expensive device lists at a time (2,000
 * devices, 20 patterns in each of five fields): its own list beside them, against the same list alone,
 * in alternating runs.
 */
const devices = 2_000;
const atOnce = 20;
const calls = 60;
const secret = 'Second-Secret-2';

/** Creates a company, and returns a client of its administrator. */
async function neighbourOf({ url, call, headers }: Instance): Promise<Client> {
  const username = 'bench.neighbour';
  const first = 'First-Secret-1';
  await call(addCompany, {
    body: {
      name: 'Neighbour',
      type: 'reseller',
      organizationName: 'Head office',
      remarks: '',
      username,
      nickname: 'Neighbour',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
    },
  });
  const own: Record<string, string> = { authorization: headers['authorization']! };
  const client = createClient({ baseUrl: url, headers: () => own });
  await client(activateByPassword, {
    body: { username, password: first, newPassword: secret, confirmation: secret },
  });
  const login = await client(token, {
    query: {},
    body: { grant_type: 'captcha', scope: 'all', username, password: createHash('md5').update(secret).digest('hex') },
  });
  own['carillon-auth'] = `bearer ${login.access_token}`;
  return client;
}

const patterns = (field: number): string[] =>
  Array.from({ length: 20 }, (_, n) => `${'ab%_'.repeat(30)}${field}${n}`.slice(0, 128));
const expensive = {
  'name.contains': patterns(1),
  'model.contains': patterns(2),
  'sn.contains': patterns(3),
  'firmware.contains': patterns(4),
  'internalIp.contains': patterns(5).map((pattern) => pattern.slice(0, 64)),
};

const shares = { median: 0.5, '95th percentile': 0.95 } as const;
type Times = Record<keyof typeof shares, number>;

/** Returns how long a company's lists take, in milliseconds. */
async function listed(call: Client): Promise<Times> {
  const times: number[] = [];
  for (let n = 0; n < calls; n++) {
    const began = performance.now();
    await call(listDevices, { query: {} });
    times.push(performance.now() - began);
  }
  return { median: percentile(times, shares.median), '95th percentile': percentile(times, shares['95th percentile']) };
}

await bench('neighbour', async () => {
  const instance = await up({ devices, more: ['--behaviour', `offline=${devices}`] });
  try {
    const neighbour = await neighbourOf(instance);
    await listed(neighbour);
    const [alone, beside]: [Times[], Times[]] = [[], []];
    for (let n = 0; n < runs(); n++) {
      alone.push(await listed(neighbour));
      let isOver = false;
      const asking = Array.from({ length: atOnce }, async () => {
        let answers = 0;
        for (; !isOver; answers++) await instance.call(listDevices, { query: expensive });
        return answers;
      });
      beside.push(await listed(neighbour));
      isOver = true;
      // A call that fails ends the benchmark; one that was never answered in time would have made it quiet.
      if ((await Promise.all(asking)).includes(0)) throw new Error('an expensive list was not answered');
    }
    for (const share of Object.keys(shares) as (keyof Times)[]) {
      const idle = spread(alone.map((times) => times[share]));
      const busy = spread(beside.map((times) => times[share]));
      report(
        {
          name: `another company's list, ${share}`,
          unit: 'ms',
          value: busy.median,
          atMost: 2 * idle.median,
          beside: { name: 'alone', value: idle.median },
        },
        busy,
      );
    }
  } finally {
    instance.down();
  }
});
