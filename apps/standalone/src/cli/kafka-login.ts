import { join } from 'node:path';
import { certificateFile } from '@carillon/devtools/kafka-certificate';
import type { BusPlace } from '@carillon/service/bus';
import { kafkaAdministrator } from '@carillon/service/bus-access';
import type { Secrets } from './data-folder.ts';

/** Returns the folder where `up --cluster` keeps its Kafka. */
export const kafkaFolder = (folder: string): string => join(folder, 'kafka');

/** Returns the brokers' certificate. A client that trusts only this one talks to no other broker. */
export const clusterCa = (folder: string): string => certificateFile(kafkaFolder(folder));

/** Returns how the administrator connects to the Kafka of `up --cluster`. */
export const clusterKafkaPlace = (
  folder: string,
  brokers: string,
  secrets: Pick<Secrets, 'kafka'>,
  name: string,
): BusPlace => ({
  bus: 'kafka',
  brokers,
  name,
  ca: clusterCa(folder),
  login: { user: kafkaAdministrator, password: secrets.kafka.admin, mechanism: 'SCRAM-SHA-256' },
});

/**
 * Returns how to connect to the given Kafka. The login comes from the same variables as a process's, not from
 * arguments.
 */
export function namedKafka(brokers: string, name: string): BusPlace {
  const { CARILLON_KAFKA_USER: user, CARILLON_KAFKA_PASSWORD: password, CARILLON_KAFKA_CA: ca } = process.env;
  return {
    bus: 'kafka',
    brokers,
    name,
    ...(ca ? { ca } : {}),
    ...(user && password ? { login: { user, password, mechanism: 'SCRAM-SHA-256' } } : {}),
  };
}
