import { spawn } from 'node:child_process';
import { bench, report } from '@carillon/devtools/bench';
import { pss, up } from './lib/instance.ts';

/** Memory of standalone with 200 devices, 60 s after the last came up, as the sum of PSS of every process; beside it an empty Node process. */
await bench('memory', async () => {
  const instance = await up({ devices: 200 });
  try {
    await allOnline(instance, 200);
    await new Promise((r) => { setTimeout(r, 60_000); });
    const empty = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); process.stdout.write("up")'], { stdio: ['ignore', 'pipe', 'ignore'] });
    await new Promise((r) => { empty.stdout.once('data', r); });
    const floor = pss(empty.pid!);
    empty.kill();
    const rows = [...Map.groupBy(instance.processes(), (p) => p.name)].map(([name, of]) => ({ name, count: of.length, mb: of.reduce((sum, p) => sum + pss(p.pid), 0) }));
    for (const { name, count, mb } of rows) process.stdout.write(`     ${name.padEnd(12)} ${String(count).padStart(3)} processes ${mb.toFixed(0).padStart(5)} MB\n`);
    report({ name: 'standalone with 200 devices, all processes', unit: 'MB', value: rows.reduce((sum, r) => sum + r.mb, 0), atMost: 450, beside: { name: 'an empty Node process', value: floor } });
  } finally {
    instance.down();
  }
});

async function allOnline(instance: Awaited<ReturnType<typeof up>>, count: number): Promise<void> {
  const { countDevices } = await import('@carillon/contracts');
  for (;;) {
    const { state } = await instance.call(countDevices, {});
    if ((state['offline'] ?? 0) === 0 && Object.values(state).reduce((a, b) => a + b, 0) === count) return;
    await new Promise((r) => { setTimeout(r, 200); });
  }
}
