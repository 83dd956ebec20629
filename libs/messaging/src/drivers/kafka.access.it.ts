import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';
import { beforeAll, expect, it } from 'vitest';
import { testKafka, type TestKafka } from '@carillon/testing/kafka';
import type { BusRecord } from '../bus.ts';
import { KafkaBus, type KafkaUser } from './kafka.ts';

const admin = { user: 'administrator', password: 'of-the-administrator' };
const topics = ['orders.v1', 'secrets.v1'].map(
  (name) => ({ name, partitions: 1, cleanup: 'delete', retentionMs: 60_000 }) as const,
);
const writer: KafkaUser = { name: 'writer', password: 'of-the-writer', writes: ['orders.v1'], reads: [], groups: [] };
const reader: KafkaUser = {
  name: 'reader',
  password: 'of-the-reader',
  writes: [],
  reads: ['orders.v1'],
  groups: ['reader'],
};
const record = { topic: 'orders.v1', key: 'a', value: '1', headers: {} };

let kafka: TestKafka;
let administrator: KafkaBus;
const opened: KafkaBus[] = [];
const open = async (username: string, password: string, mechanism: 'PLAIN' | 'SCRAM-SHA-256' = 'SCRAM-SHA-256') => {
  const bus = await KafkaBus.open({
    connection: { brokers: [kafka.bootstrap], sasl: { mechanism, username, password } },
    deadlineMs: 5_000,
    heartbeatMs: 200,
  });
  opened.push(bus);
  return bus;
};
const join = async (bus: KafkaBus, group: string, topic = 'orders.v1'): Promise<BusRecord> => {
  const got = Promise.withResolvers<BusRecord>();
  await bus.group({ group, topics: [topic], handle: async ({ records }) => got.resolve(records[0]!) });
  return got.promise;
};

beforeAll(async () => {
  kafka = await testKafka({ admin });
  administrator = await open(admin.user, admin.password, 'PLAIN');
  await administrator.ensureTopics(topics);
  await administrator.admit([writer, reader]);
  return async () => {
    await Promise.all(opened.map((bus) => bus.close()));
    await kafka.stop();
  };
}, 60_000);

it('whoever gives no name, another password or an unknown name is not let in', async () => {
  await expect(KafkaBus.open({ connection: { brokers: [kafka.bootstrap] } })).rejects.toThrow();
  await expect(open('writer', 'of-the-reader')).rejects.toThrow();
  await expect(open('nobody', 'of-the-writer')).rejects.toThrow();
  await expect(open(admin.user, 'of-the-writer', 'PLAIN')).rejects.toThrow();
  // A user that the brokers keep is none of those who stand in their settings.
  await expect(open('writer', 'of-the-writer', 'PLAIN')).rejects.toThrow();
});

it('a user writes and reads what it was given and nothing else, by its own group alone', async () => {
  const writing = await open('writer', 'of-the-writer');
  const reading = await open('reader', 'of-the-reader');
  const got = join(reading, 'reader');
  await writing.publish([record]);
  expect((await got).value).toBe('1');

  await expect(reading.publish([record])).rejects.toThrow();
  await expect(writing.publish([{ ...record, topic: 'secrets.v1' }])).rejects.toThrow('may not use the topic');
  await expect(join(reading, 'another')).rejects.toThrow();
  await expect(join(reading, 'reader', 'secrets.v1')).rejects.toThrow('may not use the topic');
  await expect(reading.fanout({ topics: ['secrets.v1'], from: 'start', handle: () => undefined })).rejects.toThrow(
    'may not use the topic',
  );
  await expect(
    writing.ensureTopics([{ name: 'own.v1', partitions: 1, cleanup: 'delete', retentionMs: 1_000 }]),
  ).rejects.toThrow();
  // Neither gives rights.
  await expect(writing.admit([{ ...writer, writes: ['orders.v1', 'secrets.v1'] }])).rejects.toThrow();
  await expect(writing.publish([{ ...record, topic: 'secrets.v1' }])).rejects.toThrow('may not use the topic');
});

it('a password is changed and a right is taken back when it is asked for, and whoever is connected keeps the rest', async () => {
  const both: KafkaUser = { ...writer, name: 'both', writes: ['orders.v1', 'secrets.v1'] };
  await administrator.admit([both]);
  const connected = await open('both', both.password);
  await connected.publish([record, { ...record, topic: 'secrets.v1' }]);
  const less = { ...both, password: 'another', writes: ['orders.v1'] };
  await administrator.admit([less]);
  // A process of the version before goes on while the next one is installed.
  await connected.publish([{ ...record, topic: 'secrets.v1' }]);
  const surplus = ['both write secrets.v1'];
  expect(await administrator.surplusRights([less], false)).toEqual(surplus);
  expect(await administrator.surplusRights([less], true)).toEqual(surplus);
  expect(await administrator.surplusRights([less], true)).toEqual([]);
  await connected.publish([record]);
  await expect(connected.publish([{ ...record, topic: 'secrets.v1' }])).rejects.toThrow();
  await expect(open('both', both.password)).rejects.toThrow();
  await (await open('both', 'another')).publish([record]);
});

it('over TLS it goes to brokers whose certificate is signed by whom it was told, and to no others', async () => {
  const certificate = () =>
    generate([{ name: 'commonName', value: 'Brokers of a test' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
    });
  const [own, foreign] = await Promise.all([certificate(), certificate()]);
  let broker = 0;
  // What ends TLS before a broker, as a mesh does; clients know no other way to it.
  const front = createServer({ key: own.private, cert: own.cert }, (socket) => {
    const behind = connect(broker, '127.0.0.1');
    const end = () => {
      socket.destroy();
      behind.destroy();
    };
    for (const stream of [socket, behind]) stream.on('error', end).on('close', end);
    socket.pipe(behind).pipe(socket);
  }).listen(0, '127.0.0.1');
  front.on('tlsClientError', () => undefined);
  await once(front, 'listening');
  const { port } = front.address() as AddressInfo;
  const sealed = await testKafka({ admin, settings: { 'advertised.listeners': `CLIENT://127.0.0.1:${port}` } });
  broker = sealed.nodes[0]!.port;
  const by = (ca: string | undefined) =>
    KafkaBus.open({
      connection: {
        brokers: [`127.0.0.1:${port}`],
        sasl: { mechanism: 'PLAIN', username: admin.user, password: admin.password },
        ...(ca === undefined ? {} : { tls: { ca } }),
      },
      deadlineMs: 5_000,
    });
  try {
    await expect(by(foreign.cert)).rejects.toThrow();
    await expect(by(undefined)).rejects.toThrow();
    const bus = await by(own.cert);
    opened.push(bus);
    await bus.ensureTopics(topics);
    const got = Promise.withResolvers<BusRecord>();
    await bus.group({
      group: 'sealed',
      topics: ['orders.v1'],
      handle: async ({ records }) => got.resolve(records[0]!),
    });
    await bus.publish([record]);
    expect((await got.promise).value).toBe('1');
    await bus.close();
  } finally {
    front.close();
    await sealed.stop();
  }
}, 60_000);
