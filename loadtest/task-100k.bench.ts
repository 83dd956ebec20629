import { addTask, getTask } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { fillFleet } from '@carillon/testing/fleet';
import { up } from './lib/instance.ts';
import { person } from './lib/person.ts';

const count = 100_000;

/**
 * Runs a task for 100,000 devices in standalone in which only the sockets are replaced: the same link topics, outbox
 * and bus, and every device answers. Measures how soon it is accepted and expanded, and the duration of API calls in
 * the meantime compared with an idle product. The rate of the task is the default one.
 */
await bench('task-100k', async () => {
  const instance = await up({ devices: 0 });
  const filled = await fillFleet({ folder: instance.data, socket: instance.postgres().host, count, online: count });
  try {
    const asking = (most: number) => person({ url: instance.url, headers: instance.headers, most });
    await asking(100).all;
    const [accepted, expanded, ended, ratios, busyP95, idleP95]: number[][] = [[], [], [], [], [], []];
    for (let run = 0; run < runs(); run++) {
      const idle = await asking(400).all;
      const began = performance.now();
      const { id } = await instance.call(addTask, {
        body: { name: `All ${run + 1}`, action: 'reboot', params: {}, target: { filter: {} } },
      });
      accepted!.push((performance.now() - began) / 1000);
      const busy = asking(Infinity);
      let task = await instance.call(getTask, { params: { id } });
      for (let answer = false; task.endedAt === null;) {
        await new Promise((r) => {
          setTimeout(r, 250);
        });
        task = await instance.call(getTask, { params: { id } });
        if (task.expanded && !answer) {
          answer = true;
          expanded!.push((performance.now() - began) / 1000);
        }
      }
      ended!.push((performance.now() - began) / 1000);
      const meanwhile = await busy.stop();
      if (task.counts.success !== count) throw new Error(`only ${task.counts.success} of ${count} were told`);
      busyP95!.push(percentile(meanwhile, 0.95));
      idleP95!.push(percentile(idle, 0.95));
      ratios!.push(busyP95!.at(-1)! / idleP95!.at(-1)!);
    }
    if (filled.devices.some((d) => filled.fleet.done.get(d.id)?.size !== runs()))
      throw new Error('a device was not told once for each task');
    report(
      { name: 'task for 100,000 devices accepted', unit: 's', value: spread(accepted!).median, atMost: 1 },
      spread(accepted!),
    );
    report({ name: 'expanded', unit: 's', value: spread(expanded!).median, atMost: 60 }, spread(expanded!));
    report(
      { name: 'every device told and its answer stored', unit: 's', value: spread(ended!).median },
      spread(ended!),
    );
    report(
      {
        name: 'p95 of the API meanwhile',
        unit: 'ms',
        value: spread(busyP95!).median,
        beside: { name: 'idle', value: spread(idleP95!).median },
      },
      spread(busyP95!),
    );
    report(
      { name: 'its ratio to idle, median of the runs', unit: '', value: spread(ratios!).median, atMost: 2 },
      spread(ratios!),
    );
  } finally {
    await filled.close();
    instance.down();
  }
});
