import { parseArgs } from 'node:util';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { Fleet } from '../src/testing/fleet.ts';
import { bundle, cpuUs, mosquitto, nodeSubject, rssKb } from './subject.ts';
import type { Subject } from './subject.ts';

/**
 * Compares one gateway process with everything on (authentication, presence, validation, order, memory limits) with
 * Mosquitto, a plain Node server with mqtt-packet, and one that cuts packets by hand, on the same traffic over
 * loopback. The figures are CPU time of the measured process alone, so the devices' own process does not count.
 */
const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    devices: { type: 'string', default: '15000' },
    subjects: { type: 'string', default: '' },
  },
});
const devices = Number(values.devices);
const parts = ['memory', 'connect', 'fanout', 'ingest', 'aedes'] as const;
const asked = positionals.filter((p) => (parts as readonly string[]).includes(p));
const on = (part: (typeof parts)[number]): boolean =>
  asked.includes(part) || (part !== 'aedes' && asked.filter((p) => p !== 'aedes').length === 0);

const all: Record<string, (devices: number) => Promise<Subject>> = {
  gateway: (n) => nodeSubject('gateway', [String(n)]),
  mosquitto,
  bare: () => nodeSubject('bare'),
  'bare-codec': () => nodeSubject('bare-codec'),
  ...(on('aedes') ? { stock: () => nodeSubject('stock') } : {}),
};
/** `--subjects gateway,mosquitto` measures only these, for work on one of them. */
const chosen = String(values.subjects)
  .split(',')
  .filter((name) => name in all);
const subjects = Object.fromEntries(
  Object.entries(all).filter(([name]) => chosen.length === 0 || chosen.includes(name)),
);
type Figure = 'memory' | 'cold' | 'connect' | 'fanout' | 'four' | 'one';
const found = new Map<string, number[]>();
const keep = (subject: string, figure: Figure, value: number): void => {
  const key = `${subject} ${figure}`;
  found.set(key, [...(found.get(key) ?? []), value]);
};
const medianOf = (subject: string, figure: Figure): number => spread(found.get(`${subject} ${figure}`) ?? [NaN]).median;

/** Returns the subject's CPU time for each of `n` things that `work` does, in microseconds. */
async function each(subject: Subject, n: number, work: () => Promise<void>): Promise<number> {
  const before = cpuUs(subject.pid);
  await work();
  return (cpuUs(subject.pid) - before) / n;
}
const settle = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

async function run(name: string): Promise<void> {
  let empty = 0;
  if (on('memory')) {
    const nobody = await subjects[name]!(0);
    await settle(300);
    empty = rssKb(nobody.pid);
    await nobody.end();
  }
  const subject = await subjects[name]!(devices);
  const fleet = new Fleet(subject, devices);
  keep(name, 'cold', await each(subject, devices, () => fleet.connect()));
  if (on('memory')) {
    await settle(3_000);
    keep(name, 'memory', (rssKb(subject.pid) - empty) / devices);
  }
  if (on('fanout')) {
    const rounds: number[] = [];
    for (let round = 0; round < 7; round++) {
      await subject.prepare(devices);
      const us = await each(subject, devices, () => fleet.commanded());
      // The first two rounds warm up. One round takes half a second, in which another process can make up a third of
      // the figure.
      if (round >= 2) rounds.push(us);
    }
    keep(name, 'fanout', spread(rounds).median);
  }
  if (on('ingest')) {
    const some = Math.min(1_000, devices);
    await fleet.publish(some, 4, 4);
    keep(name, 'four', await each(subject, some * 40, () => fleet.publish(some, 4, 10)));
    await fleet.publish(devices, 1, 1);
    keep(name, 'one', await each(subject, devices * 2, () => fleet.publish(devices, 1, 2)));
  }
  if (on('connect')) {
    // A connect storm; the first connects also included the engine's warm-up.
    for (let round = 0; round < 2; round++) {
      await fleet.cut();
      await settle(500);
      const us = await each(subject, devices, () => fleet.connect());
      if (round === 1) keep(name, 'connect', us);
    }
  }
  await fleet.cut();
  await subject.end();
}

await bench('mqtt-gateway', async () => {
  process.stdout.write(
    `${devices} devices; admission rates and limits of connections are set off; a bus that stores at once.\n`,
  );
  await bundle(Object.keys(subjects).filter((name) => name !== 'mosquitto'));
  for (let i = 0; i < runs(); i++) for (const name of Object.keys(subjects)) await run(name);
  const names: [Figure, string, string][] = [
    ['memory', 'memory of an idle device above the empty process', 'kB'],
    ['cold', 'connect, subscribe, hello: the first of the process', 'µs'],
    ['connect', 'connect, subscribe, hello: warm', 'µs'],
    ['fanout', 'command: from the record in hand to PUBACK', 'µs'],
    ['four', 'state stored: 1,000 devices, 4 in flight', 'µs'],
    ['one', 'state stored: all devices, 1 in flight', 'µs'],
  ];
  for (const [figure, text, unit] of names) {
    const measured = Object.keys(subjects).filter((name) => found.has(`${name} ${figure}`));
    if (measured.length > 0)
      process.stdout.write(
        `     ${text}, ${unit}:${measured
          .map((name) => {
            const s = spread(found.get(`${name} ${figure}`)!);
            return `  ${name} ${s.median.toFixed(1)} (${s.min.toFixed(1)} to ${s.max.toFixed(1)})`;
          })
          .join('')}\n`,
      );
  }
  /** Compares the gateway's rate per core-second with the peer's, run by run. */
  const rate = (name: string, figure: Figure, peer: string, atLeast: number): void => {
    const ours = found.get(`gateway ${figure}`) ?? [],
      theirs = found.get(`${peer} ${figure}`) ?? [];
    if (ours.length === 0 || theirs.length === 0) return;
    const s = spread(ours.map((us, i) => theirs[i]! / us));
    report({ name, unit: 'times', value: s.median, atLeast }, s);
  };
  if (found.has('gateway memory'))
    report(
      {
        name: 'memory of an idle device',
        unit: 'kB',
        value: medianOf('gateway', 'memory'),
        atMost: 6,
        ...(found.has('bare memory') ? { beside: { name: 'bare server', value: medianOf('bare', 'memory') } } : {}),
      },
      spread(found.get('gateway memory')!),
    );
  if (on('connect')) {
    rate('connects per core-second, of the bare server with mqtt-packet', 'connect', 'bare', 0.85);
    rate('connects per core-second, of the bare server that cuts by hand', 'connect', 'bare-codec', 0);
  }
  if (on('fanout')) rate('commands per core-second, of Mosquitto', 'fanout', 'mosquitto', 1.6);
  if (on('ingest')) {
    rate('states stored per core-second, 4 in flight, of Mosquitto', 'four', 'mosquitto', 1.2);
    rate('states stored per core-second, 1 in flight, of Mosquitto', 'one', 'mosquitto', 0.6);
  }
});
