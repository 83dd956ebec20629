// @module-tag slow
import { once } from 'node:events';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { connect, type SecureVersion } from 'node:tls';
import { beforeAll, expect, it } from 'vitest';
import { newBrokerCertificate, servingBrokers, testKafka, type TestKafka } from '@carillon/testing/kafka';
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
}, 240_000);

it('a client without a name, with a wrong password or an unknown name is refused', async () => {
  await expect(KafkaBus.open({ connection: { brokers: [kafka.bootstrap] } })).rejects.toThrow();
  await expect(open('writer', 'of-the-reader')).rejects.toThrow();
  await expect(open('nobody', 'of-the-writer')).rejects.toThrow();
  await expect(open(admin.user, 'of-the-writer', 'PLAIN')).rejects.toThrow();
  // A SCRAM user is not one of the users in the brokers' configuration.
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
  // Both operations grant no permissions.
  await expect(writing.admit([{ ...writer, writes: ['orders.v1', 'secrets.v1'] }])).rejects.toThrow();
  await expect(writing.publish([{ ...record, topic: 'secrets.v1' }])).rejects.toThrow('may not use the topic');
});

it('reports disk usage only to users with the permission', async () => {
  const seer: KafkaUser = { ...writer, name: 'seer', seesDisks: true };
  await administrator.admit([seer]);
  const [disk, ...more] = await (await open('seer', seer.password)).disks();
  const { bavail, blocks, bsize } = await statfs(tmpdir());
  expect(more).toEqual([]);
  expect(disk!.name).toMatch(/^kafka-1:\//);
  expect(Math.abs(disk!.totalBytes / (blocks * bsize) - 1)).toBeLessThan(0.01);
  expect(Math.abs(disk!.freeBytes / (bavail * bsize) - 1)).toBeLessThan(0.1);
  await expect((await open('writer', writer.password)).disks()).rejects.toThrow();
});

it('changes a password and revokes a permission on request, and connected users keep the rest', async () => {
  const both: KafkaUser = { ...writer, name: 'both', writes: ['orders.v1', 'secrets.v1'] };
  await administrator.admit([both]);
  const connected = await open('both', both.password);
  await connected.publish([record, { ...record, topic: 'secrets.v1' }]);
  const less = { ...both, password: 'another', writes: ['orders.v1'] };
  await administrator.admit([less]);
  // A process of the previous version continues while the next one is installed.
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

it(
  'over TLS a client uses only brokers with a trusted certificate, and no broker serves plain text',
  { tags: 'slow' },
  async () => {
    const [own, foreign] = await Promise.all([newBrokerCertificate(), newBrokerCertificate()]);
    const elsewhere = await newBrokerCertificate(['kafka.example.com']);
    const by = (bootstrap: string, ca: string | undefined) =>
      KafkaBus.open({
        connection: {
          brokers: [bootstrap],
          sasl: { mechanism: 'PLAIN', username: admin.user, password: admin.password },
          ...(ca === undefined ? {} : { tls: { ca } }),
        },
        deadlineMs: 5_000,
      });
    const sealed = await testKafka({ admin, certificate: own });
    try {
      await expect(by(sealed.bootstrap, foreign.certificate)).rejects.toThrow();
      await expect(by(sealed.bootstrap, elsewhere.certificate)).rejects.toThrow();
      await expect(by(sealed.bootstrap, undefined)).rejects.toThrow();
      // The broker answers no request in clear, and speaks no TLS before 1.2.
      expect(await servingBrokers(sealed.nodes[0]!.port, { admin })).toBe(0);
      expect(await servingBrokers(sealed.nodes[0]!.port)).toBe(0);
      await expect(greet(sealed.nodes[0]!.port, own.certificate, 'TLSv1.1')).rejects.toThrow();
      expect(await greet(sealed.nodes[0]!.port, own.certificate, 'TLSv1.3')).toBe('TLSv1.3');
      const bus = await by(sealed.bootstrap, own.certificate);
      opened.push(bus);
      await bus.ensureTopics(topics);
      await bus.admit([writer]);
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
      await sealed.stop();
    }
  },
);

it(
  'the brokers of one cluster know each other by their certificate, too',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    const certificate = await newBrokerCertificate();
    const three = await testKafka({ admin, certificate, nodes: 3 });
    try {
      const bus = await KafkaBus.open({
        connection: {
          brokers: three.bootstrap.split(','),
          sasl: { mechanism: 'PLAIN', username: admin.user, password: admin.password },
          tls: { ca: certificate.certificate },
        },
      });
      opened.push(bus);
      await bus.ensureTopics(topics);
      // Two of three have stored it.
      await bus.publish([record]);
      await bus.close();
    } finally {
      await three.stop();
    }
  },
);

/** Returns the TLS version that the broker negotiates with a client of this version. */
async function greet(port: number, ca: string, version: SecureVersion): Promise<string | null> {
  const socket = connect({ port, host: '127.0.0.1', ca, minVersion: version, maxVersion: version });
  try {
    await once(socket, 'secureConnect');
    return socket.getProtocol();
  } finally {
    socket.destroy();
  }
}
