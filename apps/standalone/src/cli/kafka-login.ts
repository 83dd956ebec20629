import type { BusPlace, KafkaLogin } from '@carillon/service/bus';
import { kafkaAdministrator } from '@carillon/service/bus-access';
import type { Secrets } from './data-folder.ts';

/** The login of whoever looks after the Kafka of `up --cluster`. */
export const clusterLogin = (secrets: Pick<Secrets, 'kafka'>): KafkaLogin => ({
  user: kafkaAdministrator,
  password: secrets.kafka.admin,
  mechanism: 'SCRAM-SHA-256',
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
