import { kafkaUserOf, services, type ServiceName } from '@carillon/contracts/services';
import { allTopics } from '@carillon/contracts/topics';
import { deadTopic, type TopicSpec } from '@carillon/messaging';
import type { KafkaRights, KafkaUser } from '@carillon/messaging/kafka';

/** Kafka user that creates topics and users, and reads everything: for `install`, and for operators of the brokers. */
export const kafkaAdministrator = kafkaUserOf('admin');

/** Services that consume messages in a group of their own name, and use a dead-letter topic. */
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

/** Every topic of the product, with a dead-letter topic for each consuming service. */
export const declaredTopics: readonly TopicSpec[] = [
  ...allTopics.map(({ name, partitions, cleanup, retentionMs }): TopicSpec => ({
    name,
    partitions,
    cleanup,
    ...(retentionMs === undefined ? {} : { retentionMs }),
  })),
  ...consumingServices.map(deadTopic),
];

/** Returns the Kafka users and permissions of all services, derived from the topics. */
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
