import { countDevices } from '@carillon/contracts';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { pss, up, type Instance } from './lib/instance.ts';
import { memoryFloor } from './lib/memory-floor.ts';

/**
 * Measures the memory of standalone with 200 devices, 60 s after the last one has connected, as the sum of PSS of every
 * process; alternates with PostgreSQL with the same settings, a plain server and 200 plain connections.
 */
await bench('memory', async () => {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < runs(); run++) {
    const instance = await up({ devices: 200 });
    try {
      await allOnline(instance, 200);
      await new Promise((r) => {
        setTimeout(r, 60_000);
      });
      const rows = [...Map.groupBy(instance.processes(), (p) => p.name)].map(([name, processes]) => ({
        name,
        count: processes.length,
        mb: processes.reduce((sum, p) => sum + pss(p.pid), 0),
      }));
      for (const { name, count, mb } of rows)
        process.stdout.write(
          `     run ${run + 1} ${name.padEnd(12)} ${String(count).padStart(3)} processes ${mb.toFixed(0).padStart(5)} MB\n`,
        );
      ours.push(rows.reduce((sum, r) => sum + r.mb, 0));
    } finally {
      instance.down();
    }
    bare.push(await memoryFloor(200));
  }
  report(
    {
      name: 'standalone with 200 devices, all processes',
      unit: 'MB',
      value: spread(ours).median,
      atMost: 450,
      beside: { name: 'PostgreSQL, a bare server and 200 bare connections', value: spread(bare).median },
    },
    spread(ours),
  );
});

async function allOnline(instance: Instance, count: number): Promise<void> {
  for (;;) {
    const { state } = await instance.call(countDevices, {});
    if (
      (state['offline'] ?? 0) === 0 &&
      Object.values(state).reduce((a, b) => a + b, 0) === count &&
      (state['notConfigured'] ?? 0) < count / 5
    )
      return;
    await new Promise((r) => {
      setTimeout(r, 200);
    });
  }
}
