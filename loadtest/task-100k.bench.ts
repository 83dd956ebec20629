import { addTask, getTask, getUserInfo, listDevices, listTasks, type Client } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { fillFleet } from '@carillon/testing/fleet';
import { up } from './lib/instance.ts';

const count = 100_000;

/**
 * A task for 100,000 devices in standalone, only the sockets replaced: the same link topics, outbox and bus, and every
 * device answers. How soon it is accepted and expanded, and what the API's calls take meanwhile beside what they take
 * when nothing goes on. The rate of a task is the default one.
 */
await bench('task-100k', async () => {
  const instance = await up({ devices: 0 });
  const filled = await fillFleet({ folder: instance.data, socket: instance.postgres().host, count, online: count });
  try {
    await calls(instance.call, () => false, 100);
    const [accepted, expanded, ended, ratios, busyP95, idleP95]: number[][] = [[], [], [], [], [], []];
    for (let run = 0; run < runs(); run++) {
      const idle = await calls(instance.call, () => false, 400);
      const began = performance.now();
      const { id } = await instance.call(addTask, { body: { name: `All ${run + 1}`, action: 'reboot', params: {}, target: { filter: {} } } });
      accepted!.push((performance.now() - began) / 1000);
      let over = false;
      const busy = calls(instance.call, () => over, Infinity);
      let task = await instance.call(getTask, { params: { id } });
      for (let told = false; task.endedAt === null;) {
        await new Promise((r) => { setTimeout(r, 250); });
        task = await instance.call(getTask, { params: { id } });
        if (task.expanded && !told) { told = true; expanded!.push((performance.now() - began) / 1000); }
      }
      ended!.push((performance.now() - began) / 1000);
      over = true;
      if (task.counts.success !== count) throw new Error(`only ${task.counts.success} of ${count} were told`);
      busyP95!.push(percentile(await busy, 0.95));
      idleP95!.push(percentile(idle, 0.95));
      ratios!.push(busyP95!.at(-1)! / idleP95!.at(-1)!);
    }
    if (filled.devices.some((d) => filled.fleet.done.get(d.id)?.size !== runs())) throw new Error('a device was not told once for each task');
    report({ name: 'task for 100,000 devices accepted', unit: 's', value: spread(accepted!).median, atMost: 1 }, spread(accepted!));
    report({ name: 'expanded', unit: 's', value: spread(expanded!).median, atMost: 60 }, spread(expanded!));
    report({ name: 'every device told and its answer stored', unit: 's', value: spread(ended!).median }, spread(ended!));
    report({ name: 'p95 of the API meanwhile', unit: 'ms', value: spread(busyP95!).median, beside: { name: 'idle', value: spread(idleP95!).median } }, spread(busyP95!));
    report({ name: 'its ratio to idle, median of the runs', unit: '', value: spread(ratios!).median, atMost: 2 }, spread(ratios!));
  } finally {
    await filled.close();
    instance.down();
  }
});

/** What a console asks, one call after the other, twenty a second; milliseconds of each. */
async function calls(call: Client, over: () => boolean, most: number): Promise<number[]> {
  const took: number[] = [];
  const asked = [() => call(listTasks, { query: {} }), () => call(getUserInfo, {}), () => call(listDevices, { query: {} })];
  for (let i = 0; i < most && !over(); i++) {
    const began = performance.now();
    await asked[i % asked.length]!();
    took.push(performance.now() - began);
    await new Promise((r) => { setTimeout(r, 50 - Math.min(49, took.at(-1)!)); });
  }
  return took;
}
