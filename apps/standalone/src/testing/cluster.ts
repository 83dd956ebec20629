import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, inject } from 'vitest';
import { addTask, editDevice, listDevices, listTasks, type TaskRecord } from '@carillon/contracts';
import { carillon, Platform, waysToRun } from '@carillon/testing/platform';
import { effectsByCommand, effectsSince } from './journey.ts';
import { Reporters } from './reporter.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Twelve faults chosen by the commit, or all with `./carillon test --faults`. */
    faults: 'short' | 'whole';
  }
}

/** Simulated devices of a test cluster. */
export const devices = 200;
export const services = ['auth', 'org', 'device', 'provisioning', 'resource', 'task', 'notification', 'license'];
export const servers = ['kafka', 'redis', 'postgres'];
/** Every process except the servers. */
export const processes = [...services, 'mqtt-gateway', 'gateway'].flatMap((s) => [`${s}-1`, `${s}-2`]);

/** Two of every service over Kafka, Redis and PostgreSQL, with simulated devices and helpers for tests. */
export class TestCluster {
  readonly platform: Platform;
  readonly traceFile: string;
  /** The simulated devices. Reporters are devices too, but ignore commands. */
  readonly ids: readonly string[];
  reporters: Reporters | undefined;
  private readonly environment: Record<string, string>;

  private constructor(
    platform: Platform,
    traceFile: string,
    ids: readonly string[],
    environment: Record<string, string>,
  ) {
    this.platform = platform;
    this.traceFile = traceFile;
    this.ids = ids;
    this.environment = environment;
  }

  static async start(): Promise<TestCluster> {
    const traceFile = `/tmp/carillon-cluster-trace-${process.pid}-${randomBytes(4).toString('hex')}.jsonl`;
    const environment = {
      CARILLON_KEEP_FIRST_PASSWORD: '1',
      CARILLON_TRACE_FILE: traceFile,
      CARILLON_TASK_PATIENCE: '5',
    };
    const args = ['--reboot-ms', '1000'];
    const platform = await Platform.start({ name: 'c', devices, ...waysToRun.cluster, args, env: environment });
    const found = await Promise.all(
      [1, 2].map((page) => platform.call(listDevices, { query: { page, limit: 100, sort: 'mac' } })),
    );
    const ids = found.flatMap((f) => f.records.map((r) => r.id));
    return new TestCluster(platform, traceFile, ids, environment);
  }

  async close(): Promise<void> {
    await this.reporters?.stop();
    await this.platform.close();
    rmSync(this.traceFile, { force: true });
  }

  /** Orders a reboot of every device. Returns undefined when the answering process dies. */
  order(name: string): Promise<TaskRecord | undefined> {
    const target = { ids: [...this.ids] };
    return this.platform.call(addTask, { body: { name, action: 'reboot', params: {}, target } }).catch(() => undefined);
  }

  /** Checks that the task succeeded and that each device ran its command once since `before`. */
  async everyDeviceDidItOnce(task: TaskRecord, before: ReadonlyMap<string, number>): Promise<void> {
    expect([task.status, task.counts]).toEqual([
      'success',
      { total: devices, success: devices, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 },
    ]);
    const rows = await this.platform.taskDevices(task.id);
    expect(rows.map((row) => row.status)).toEqual(Array(devices).fill('success'));
    const done = await effectsSince(this.platform, before);
    expect(rows.flatMap(({ mac }) => (done.get(mac) === 1 ? [] : [{ mac, times: done.get(mac) ?? 0 }]))).toEqual([]);
  }

  /** Kills a process and waits until it is back. */
  async diesAndReturns(target: string): Promise<void> {
    const [logs, supervisor] = [this.platform.logs(), this.platform.log('supervisor')];
    const again = processes.includes(target)
      ? logs.line((line) => line['point'] === 'ready' && line['process'] === target, 240_000)
      : supervisor.line((line) => line['point'] === 'restarted' && line['process'] === target, 240_000);
    this.platform.kill(target);
    await again;
    logs.close();
    supervisor.close();
  }

  /** Runs calls, edits and tasks while the named processes are replaced, or every process when `names` is empty. */
  async rollUnderLoad(names: readonly string[] = []): Promise<void> {
    await this.platform.allOnline(devices);
    this.reporters ??= await Reporters.start(this.platform, 4);
    const before = await effectsByCommand(this.platform);
    const counts = { done: 0, repeated: 0 };
    const failed: string[] = [];
    let rolling = true;
    // The first set uses less load: the starting processes need the two cores.
    const pause = inject('faults') === 'whole' ? { calls: 100, tasks: 4_000 } : { calls: 250, tasks: 8_000 };
    const once = async (what: () => Promise<unknown>): Promise<void> => {
      try {
        await what();
      } catch {
        counts.repeated++;
        // What a browser or a user does on "try again".
        await delay(1_000);
        await what().catch((error: Error) => {
          // Some connection errors have no message.
          failed.push(inspect(error, { depth: 4 }));
        });
      }
      counts.done++;
    };
    const plain = this.platform.plainClient();
    const load = [0, 1].map(async (n) => {
      for (let i = 0; rolling; i++) {
        await once(() => plain(listDevices, { query: { page: 1, limit: 20 } }));
        await once(() => plain(editDevice, { body: { id: this.ids[n]!, name: `Phone ${n} ${i}` } }));
        await delay(pause.calls);
      }
    });
    const orders: string[] = [];
    const ordering = (async () => {
      for (let i = 0; rolling; i++) {
        orders.push(`Rolling ${String(i).padStart(3, '0')}`);
        if ((await this.order(orders.at(-1)!)) === undefined) {
          counts.repeated++;
          await delay(1_000);
          // The answer was lost, so check whether the order arrived before repeating it.
          const { total } = await this.platform.call(listTasks, { query: { search: orders.at(-1)! } });
          if (total === 0) await this.order(orders.at(-1)!);
        }
        await this.platform.ended((await this.platform.taskNamed(orders.at(-1)!)).id, 240_000);
        await delay(pause.tasks);
      }
    })();
    const rolled = await carillon(['roll', ...names, '--data', this.platform.folder]);
    rolling = false;
    await Promise.all([...load, ordering]);
    expect(rolled.code, rolled.stderr).toBe(0);
    expect(rolled.stdout.match(/replaced in/g)).toHaveLength(names.length || processes.length);
    process.stdout.write(`rolling: ${counts.done} calls, ${counts.repeated} repeated once, ${orders.length} tasks\n`);
    expect(failed).toEqual([]);
    const done = await effectsSince(this.platform, before);
    const wrong = [...done].filter(([, times]) => times !== orders.length);
    expect(wrong).toEqual([]);
    for (const name of orders)
      expect((await this.platform.taskNamed(name)).counts).toMatchObject({ total: devices, success: devices });
  }
  /** Starts the cluster again with the command that started it. */
  async upAgain() {
    const { port, hostname } = new URL(this.platform.ready.url);
    const places = ['--data', this.platform.folder, '--port', port, '--host', hostname];
    const { mqtt, phones } = this.platform.ready;
    const links = ['--mqtt-port', new URL(mqtt).port, '--phone-port', new URL(phones!).port];
    return carillon(
      [
        'up',
        '--cluster',
        ...places,
        ...links,
        '--devices',
        String(devices),
        '--phones',
        '0',
        '--reboot-ms',
        '1000',
        '--detach',
        '--json',
      ],
      {
        env: this.environment,
      },
    );
  }

  killEverything(): void {
    for (const name of ['supervisor', ...this.platform.processes, ...servers])
      try {
        this.platform.kill(name);
      } catch {
        /* it ended with another process */
      }
  }
}
