import mqtt, { type MqttClient } from 'mqtt';

interface Twin {
  mac: string;
  secret: string;
  sn: string;
  ip: string;
}

/** Connects one of two devices with the same identity. Returns its client and the refusals that it gets. */
export function connectTwin(url: string, { mac, secret, sn, ip }: Twin): { client: MqttClient; refused: unknown[] } {
  // The first attempt has to get in.
  const client = mqtt.connect(url, {
    clientId: mac,
    username: mac,
    password: secret,
    reconnectPeriod: 300,
    reconnectOnConnackError: false,
  });
  const refused: unknown[] = [];
  client.on('error', (error) => refused.push(error));
  client.on('connect', () => {
    const hello = { model: 'X4U', sn, firmware: '1', ip, uptime: 5, boot: 'reconnect', capabilities: ['reboot'] };
    client.publish(`d/${mac}/hello`, JSON.stringify(hello), { qos: 1 });
  });
  return { client, refused };
}
