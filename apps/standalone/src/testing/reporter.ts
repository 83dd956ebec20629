import mqtt, { type MqttClient } from 'mqtt';
import { addDevice, linkReport, listDeviceLog } from '@carillon/contracts';
import { openBus } from '@carillon/service/bus';
import { eventually, devicePlace } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';

/** How the MACs of reporters begin. */
const macs = '0c383efe00';
const event = /n-[0-9a-f]{12}-\d+/g;

/**
 * Devices of a stock MQTT library that send numbered events all the time and record the acknowledged ones. Each of
 * those must be on the bus and in the log of its device afterwards, whatever died (GW-02).
 */
export class Reporters {
  readonly acknowledged = new Set<string>();
  private readonly clients: MqttClient[] = [];
  private readonly timers: NodeJS.Timeout[] = [];

  /** Starts `count` reporters. `pauseMs` is the pause before each reconnect; a device may try twelve times a minute. */
  static async start(platform: Pick<Platform, 'call' | 'ready'>, count: number, pauseMs = 300): Promise<Reporters> {
    const reporters = new Reporters();
    for (let i = 0; i < count; i++) {
      const mac = `${macs}${i.toString(16).padStart(2, '0')}`;
      const { secret } = await platform.call(addDevice, {
        body: { ...(await devicePlace(platform.call)), mac, name: `Reporter ${i}`, model: 'X4U', sn: `R-${i}` },
      });
      reporters.run(platform.ready.mqtt, mac, secret, pauseMs);
    }
    await eventually(() => {
      if (reporters.acknowledged.size < count * 3)
        throw new Error(`${reporters.acknowledged.size} events acknowledged`);
    }, 90_000);
    return reporters;
  }

  private run(url: string, mac: string, secret: string, pauseMs: number): void {
    const client = mqtt.connect(url, {
      clientId: mac,
      username: mac,
      password: secret,
      clean: true,
      reconnectPeriod: pauseMs,
      reconnectOnConnackError: true,
      connectTimeout: 10_000,
      keepalive: 60,
    });
    client.on('error', () => undefined);
    client.on('connect', () => {
      client.publish(
        `d/${mac}/hello`,
        JSON.stringify({
          model: 'X4U',
          sn: mac,
          firmware: '1',
          ip: '10.0.0.1',
          uptime: 1,
          boot: 'reconnect',
          capabilities: [],
        }),
        { qos: 1 },
      );
    });
    let n = 0;
    this.clients.push(client);
    this.timers.push(
      setInterval(() => {
        if (!client.connected) return;
        const id = `n-${mac}-${n++}`;
        client.publish(
          `d/${mac}/event`,
          JSON.stringify({ id, at: Date.now(), kind: 'tamper', detail: id }),
          { qos: 1 },
          (error) => {
            if (!error) this.acknowledged.add(id);
          },
        );
      }, 100),
    );
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.clients.map((client) => client.endAsync(true)));
  }

  /** Returns acknowledged events that are not on the bus. There must be none. */
  async lost(platform: Platform): Promise<string[]> {
    const missing = new Set(this.acknowledged);
    const bus = await openBus(platform.busPlace('look-up'));
    try {
      const feed = await bus.fanout({
        topics: [linkReport.name],
        from: 'start',
        handle: ({ records }) => {
          for (const { value } of records) for (const [id] of (value ?? '').matchAll(event)) missing.delete(id);
        },
      });
      await feed.caughtUp;
      await feed.close();
    } finally {
      await bus.close();
    }
    return [...missing];
  }

  /** Returns acknowledged events that are not in the log of their device. There must be none. */
  async unlogged({ call }: Pick<Platform, 'call'>): Promise<string[]> {
    const missing = new Set(this.acknowledged);
    const limit = 200;
    for (let page = 1; ; page++) {
      const { records } = await call(listDeviceLog, { query: { search: macs, kind: ['tamper'], page, limit } });
      for (const { detail } of records) for (const [id] of JSON.stringify(detail).matchAll(event)) missing.delete(id);
      if (records.length < limit) return [...missing];
    }
  }
}
