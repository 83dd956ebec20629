import exec from 'k6/execution';
import { Client } from 'k6/x/mqtt';
import { devices, mqtt } from './settings.js';

const text = (bytes) => String.fromCharCode.apply(null, new Uint8Array(bytes));

/**
 * Runs this VU's share of the devices until the plan ends: each connects, says hello, reports its state now and then,
 * and answers its commands (docs/device-link.md). A reboot keeps the connection, like one that takes no time.
 */
export function fleet({ length, connectPerSecond, stateEverySeconds }) {
  // There is one iteration per VU, so its number selects the share; a VU's own number counts those of other scenarios
  // as well.
  const vus = Math.min(4, devices.length);
  const mine = devices.filter((_, i) => i % vus === exec.scenario.iterationInTest);
  const until = Date.now() + length * 1000;
  mine.forEach((device, i) =>
    setTimeout(() => live(device, until, stateEverySeconds), (i * 1000 * vus) / connectPerSecond),
  );
}

function live({ mac, secret }, until, stateEverySeconds) {
  const client = new Client({ client_id: mac, username: mac, password: secret });
  let leaving = false;
  const say = async (kind, payload) => {
    // A message in progress when a connection ends would count as an error.
    if (!leaving && client.connected)
      await client.publishAsync(`d/${mac}/${kind}`, JSON.stringify(payload), { qos: 1 }).catch(() => {});
  };
  client.on('connect', async () => {
    await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
    await say('hello', {
      model: 'X6',
      sn: mac.toUpperCase(),
      firmware: '1.0.0',
      ip: '10.0.0.1',
      uptime: 1,
      boot: 'power',
      capabilities: ['locate'],
      configVersion: '1',
    });
    const tell = () => {
      if (Date.now() >= until) {
        leaving = true;
        return setTimeout(() => client.end(), 1_000);
      }
      say('state', { at: Date.now(), calls: 0, ip: '10.0.0.1' });
      setTimeout(tell, Math.min(stateEverySeconds * 1000, Math.max(10, until - Date.now())));
    };
    setTimeout(tell, Math.random() * Math.min(stateEverySeconds * 1000, until - Date.now()));
  });
  client.on('message', (_topic, bytes) => {
    const { id, action, trace } = JSON.parse(text(bytes));
    if (action !== 'welcome') say('result', { id, status: 'success', at: Date.now(), trace });
  });
  client.on('error', (error) => console.error(`${mac}: ${error}`));
  client.connect(mqtt, { keepalive: 120 });
}
