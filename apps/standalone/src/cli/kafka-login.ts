import { join } from 'node:path';
import { certificateFile } from '@carillon/devtools/kafka-certificate';
import type { BusPlace } from '@carillon/service/bus';
import { kafkaAdministrator } from '@carillon/service/bus-access';
import type { Secrets } from './data-folder.ts';

/** Where `up --cluster` keeps its Kafka. */
export const kafkaFolder = (folder: string): string => join(folder, 'kafka');

/** The certificate that the brokers of `up --cluster` show: who trusts it alone talks to nobody else. */
export const clusterCa = (folder: string): string => certificateFile(kafkaFolder(folder));

/** The Kafka of `up --cluster`, for whoever looks after it. */
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

/** A Kafka that a person named: its login stands in the same variables as that of a process, and in no command line. */
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
