import { kafkaUserOf, services, type ServiceName } from '@carillon/contracts/services';
import { allTopics } from '@carillon/contracts/topics';
import { deadTopic, type TopicSpec } from '@carillon/messaging';
import type { KafkaRights, KafkaUser } from '@carillon/messaging/kafka';

/** Whoever makes topics and users, and reads everything: `install`, and people who look after the brokers. */
export const kafkaAdministrator = kafkaUserOf('admin');

/** Services that handle messages in a group, which bears their name, and put aside what they cannot handle. */
export const consumingServices = [
  'auth',
  'org',
  'device',
  'provisioning',
  'resource',
  'task',
  'notification',
] as const satisfies ServiceName[];
const consumes = (service: ServiceName): boolean => (consumingServices as readonly string[]).includes(service);

/** Every topic of the product; a dead-letter topic for each service that consumes. */
export const declaredTopics: readonly TopicSpec[] = [
  ...allTopics.map(({ name, partitions, cleanup, retentionMs }): TopicSpec => ({
    name,
    partitions,
    cleanup,
    ...(retentionMs === undefined ? {} : { retentionMs }),
  })),
  ...consumingServices.map(deadTopic),
];

/** What the processes of each service may do on Kafka, by what the topics declare. */
export const kafkaUsers = (passwordOf: (service: ServiceName) => string): KafkaUser[] =>
  services.map((service) => ({ ...kafkaRights(service), password: passwordOf(service) }));

export function kafkaRights(service: ServiceName): KafkaRights {
  const dead = consumes(service) ? [deadTopic(service).name] : [];
  return {
    name: kafkaUserOf(service),
    writes: [
      ...allTopics.filter(({ writers }) => writers === '*' || writers.includes(service)).map(({ name }) => name),
      ...dead,
    ],
    reads: [...allTopics.filter(({ readers }) => readers.includes(service)).map(({ name }) => name), ...dead],
    groups: consumes(service) ? [service] : [],
    // It stops acknowledging devices before the disk is full (uplink/disk-guard.ts).
    seesDisks: service === 'mqtt-gateway',
  };
}
