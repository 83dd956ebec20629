import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { MqttGateway } from '../mqtt-gateway.ts';
import { RawDevice } from './raw-device.ts';
import type { Way } from './raw-device.ts';

type Stats = ReturnType<MqttGateway['stats']>;
interface Said {
  ready?: number;
  ports?: Record<string, number>;
  stats?: Stats;
  log?: { level: string; message: string };
}

/** A gateway in a process of its own, on the bus and the Redis of the test. */
export class GatewayProcess {
  port = 0;
  /** By kind of listener. */
  ports: Record<string, number> = {};
  readonly log: { level: string; message: string }[] = [];
  private readonly child: ChildProcess;
  private readonly waiting: ((stats: Stats) => void)[] = [];

  private constructor(settings: object) {
    this.child = fork(fileURLToPath(new URL('./gateway.child.ts', import.meta.url)), [JSON.stringify(settings)], {
      execArgv: [
        '--experimental-transform-types',
        '--conditions=carillon-source',
        '--disable-warning=ExperimentalWarning',
      ],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.child.on('message', (said: Said) => {
      if (said.ports) this.ports = said.ports;
      if (said.ready !== undefined) this.port = said.ready;
      if (said.log) this.log.push(said.log);
      if (said.stats) this.waiting.shift()?.(said.stats);
    });
  }

  static async start(settings: {
    bus: string;
    redis: string;
    prefix: string;
    config: Record<string, unknown>;
  }): Promise<GatewayProcess> {
    const gateway = new GatewayProcess({ ...settings, config: { port: 0, ...settings.config } });
    while (gateway.port === 0)
      await Promise.race([
        once(gateway.child, 'message'),
        once(gateway.child, 'exit').then(() => {
          throw new Error('the gateway process ended');
        }),
      ]);
    return gateway;
  }

  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(name);
  }

  stats(): Promise<Stats> {
    this.child.send('stats');
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  async drain(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.send('drain');
    await ended;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  /** Connects to its first listener unless `kind` names another one. */
  open({ kind, ...way }: Way & { kind?: string } = {}): Promise<RawDevice> {
    return RawDevice.open(kind === undefined ? this.port : this.ports[kind]!, way);
  }
}
