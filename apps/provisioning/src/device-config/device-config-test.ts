import { afterAll, expect } from 'vitest';
import {
  addConfigTemplate,
  getDeviceConfigAddress,
  linkReport,
  provisioningDeviceConfig,
  type EventData,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

const template = (values: object, model: string | null) => {
  const { level, target } = model === null ? { level: 'general', target: null } : { level: 'model', target: model };
  return { body: { name: 'Desk', description: '', level, target, values } as never };
};

async function openDeviceConfigs() {
  /** The last published configuration of each device. */
  const published = new Map<string, EventData<typeof provisioningDeviceConfig, 'config'>>();
  /** The version of each device's last message. */
  const revisions = new Map<string, number>();
  const reports: EventData<typeof linkReport, 'state'>[] = [];
  const bus = await testBus('device_config_bus');
  const service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningDeviceConfig.name, linkReport.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === linkReport.name) {
          if (r.headers['type'] === 'state') reports.push(fromRecord(linkReport, r)!.data as never);
        } else {
          const { data, version } = fromRecord(provisioningDeviceConfig, r)!;
          revisions.set(r.key, version!);
          if (data) published.set(r.key, data);
          else published.delete(r.key);
        }
    },
  });
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, reports, revisions, published };
}

function deviceConfigCalls({ bus, service, published }: Awaited<ReturnType<typeof openDeviceConfigs>>) {
  const call = (as: Actor) => service.as(as);
  const publish = (as: Actor, id: string, mac: string, more: object = {}) =>
    publishDevice(bus, as, id, { mac, model: 'X4U', secretMark: 'mark1', ...more });
  const load = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await service.app.getHttpAdapter().getInstance().inject({ method: 'GET', url, headers });
    return { status: answer.statusCode, text: answer.body, headers: answer.headers };
  };
  const statusOf = async (url: string) => (await load(url)).status;

  /** Creates a company with a template and a phone that has its configuration; null is a model that nobody knows. */
  async function configured(mac: string, model: string | null = 'X4U') {
    const own = newActor();
    const id = uuidv7();
    await publish(own, id, mac, { model: model ?? 'Q9' });
    const values = { 'time.server': 'ntp.example', 'network.vlan': 7 };
    const made = await call(own)(addConfigTemplate, template(values, model));
    const config = await eventually(() => {
      expect(published.get(id)).toBeDefined();
      return published.get(id)!;
    });
    const address = await call(own)(getDeviceConfigAddress, { params: { id } });
    return { own, id, made, config, address };
  }
  return { call, publish, load, statusOf, configured };
}

/** Starts provisioning, and records the configurations that it publishes. Closes it after the tests. */
export async function startDeviceConfigs() {
  const opened = await openDeviceConfigs();
  return { ...opened, ...deviceConfigCalls(opened) };
}
