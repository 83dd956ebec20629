import { parseArgs } from 'node:util';
import { addTask, countDevices, getTask } from '@carillon/contracts';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { fleetFloor } from './lib/fleet-floor.ts';
import { cpu, machineCpu, pss, up, withoutDeviceLimits } from './lib/instance.ts';

/**
 * Reboots simulated devices by one task, `--devices N`, by default 5,000, in standalone or with `--gateways N` in the
 * cluster with that many MQTT gateways. Measures time and CPU time, including PostgreSQL. Alternates with as many
 * commands and answers over plain sockets with a row for each in the same PostgreSQL. The first run is the first task
 * of a new installation. A task's rate and the gateway's limits are off, because they would hide the speed.
 */
await bench('fleet', async () => {
  process.stdout.write("     a task's rate, admission rates and limits of connections are set off\n");
  const { values } = parseArgs({
    strict: false,
    options: { devices: { type: 'string', default: '5000' }, gateways: { type: 'string' } },
  });
  const count = Number(values.devices);
  // There is no target for more devices than one gateway holds.
  const limit = count > 15_000 ? {} : { atMost: count <= 5_000 ? 15 : 30 };
  const instance = await up({
    devices: count,
    more: [
      '--reboot-ms',
      '0',
      ...(values.gateways === undefined ? [] : ['--cluster', '--gateways', String(values.gateways)]),
    ],
    env: { ...withoutDeviceLimits, CARILLON_TASK_PER_SECOND: '0' },
  });
  try {
    for (;;) {
      const { state, total } = await instance.call(countDevices, {});
      // A few devices have no configuration and are listed as such: all others have reported theirs when no more than
      // those are left.
      if (total === count && (state['offline'] ?? 0) === 0 && (state['notConfigured'] ?? 0) < count / 10) break;
      await new Promise((r) => {
        setTimeout(r, 500);
      });
    }
    await new Promise((r) => {
      setTimeout(r, 5_000);
    });
    for (const { name, pid } of instance.processes())
      if (/gateway|standalone|simulator/.test(name))
        process.stdout.write(`     idle ${name.padEnd(16)} ${pss(pid).toFixed(0)} MB\n`);
    // One process holds all connections of the floor, and the number of its files is limited.
    const floor = count <= 15_000 ? await fleetFloor(instance, count) : null;
    const bare = { seconds: [] as number[], cpu: [] as number[] };
    const took: number[] = [];
    const machine: number[] = [];
    const product: number[] = [];
    for (let run = 0; run < runs(); run++) {
      const before = {
        machine: machineCpu(),
        of: new Map(instance.processes().map((p) => [p.pid, { name: p.name, ms: cpu(p.pid) }])),
      };
      const began = performance.now();
      const task = await instance.call(addTask, {
        body: { name: 'All', action: 'reboot', params: {}, target: { filter: {} } },
      });
      let done = task;
      while (done.endedAt === null) {
        await new Promise((r) => {
          setTimeout(r, 50);
        });
        done = await instance.call(getTask, { params: { id: task.id } });
      }
      took.push((performance.now() - began) / 1000);
      if (done.counts.success !== count) throw new Error(`only ${done.counts.success} of ${count} were rebooted`);
      // The reports of the returning devices are part of the measurement.
      for (;;) {
        const { state } = await instance.call(countDevices, {});
        if ((state['offline'] ?? 0) === 0) break;
        await new Promise((r) => {
          setTimeout(r, 100);
        });
      }
      machine.push((machineCpu() - before.machine) / count);
      const after = instance
        .processes()
        .map((p) => ({ name: p.name, ms: cpu(p.pid) - (before.of.get(p.pid)?.ms ?? 0) }));
      product.push(after.reduce((sum, p) => sum + p.ms, 0) / count);
      for (const [name, processes] of Map.groupBy(after, (p) => p.name))
        process.stdout.write(
          `     run ${run + 1} ${name.padEnd(12)} ${(processes.reduce((s, p) => s + p.ms, 0) / count).toFixed(2)} ms a device\n`,
        );
      await new Promise((r) => {
        setTimeout(r, 3_000);
      });
      if (floor === null) continue;
      const { seconds, cpuMs } = await floor.run();
      bare.seconds.push(seconds);
      bare.cpu.push(cpuMs / count);
    }
    await floor?.close();
    report({ name: 'the first of a fresh installation', unit: 's', value: took[0]!, ...limit });
    report(
      {
        name: `${count.toLocaleString('en')} devices rebooted by one task`,
        unit: 's',
        value: spread(took).median,
        ...limit,
        ...(floor === null ? {} : { beside: { name: 'bare sockets and rows', value: spread(bare.seconds).median } }),
      },
      spread(took),
    );
    report(
      {
        name: 'processor time of the machine a device',
        unit: 'ms',
        value: spread(machine).median,
        ...(floor === null ? {} : { beside: { name: 'bare sockets and rows', value: spread(bare.cpu).median } }),
      },
      spread(machine),
    );
    report(
      { name: 'processor time of all processes of the product a device', unit: 'ms', value: spread(product).median },
      spread(product),
    );
  } finally {
    instance.down();
  }
});
