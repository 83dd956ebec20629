import { readFileSync } from 'node:fs';
import { kafkaUserOf, type ServiceName } from '@carillon/contracts/services';
import { PostgresBus, type Bus, type BusConnection } from '@carillon/messaging';

/**
 * How long a starting process waits for Kafka, ms. If it ended at once, the supervisor would restart it with growing
 * delays and report it as broken.
 */
export const busWithinMs = 120_000;

export interface KafkaLogin {
  user: string;
  password: string;
  /** `PLAIN`: an administrator from the brokers' own configuration. */
  mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
}

/** Returns the Kafka login from a process's settings, as a part of the argument of `openBus`. */
export const kafkaLoginOf = (
  { kafkaUser, kafkaPassword, kafkaCa }: { kafkaUser: string; kafkaPassword?: string | undefined; kafkaCa: string },
  service: ServiceName,
): Pick<Extract<BusPlace, { bus: 'kafka' }>, 'login' | 'ca'> => ({
  ca: kafkaCa,
  ...(kafkaPassword === undefined
    ? {}
    : { login: { user: kafkaUser || kafkaUserOf(service), password: kafkaPassword, mechanism: 'SCRAM-SHA-256' } }),
});

export type BusPlace =
  | {
      bus: 'postgres';
      connection: BusConnection;
      /** At most one process has this name: it takes over at once what its predecessor held. */ name: string;
    }
  | {
      bus: 'kafka';
      brokers: string;
      name: string;
      login?: KafkaLogin;
      /** A file of certificates, a single certificate, or `system`; no TLS when absent or empty. */
      ca?: string;
      /** How long to wait for a broker that answers; no waiting when absent. */ openWithinMs?: number;
    };

/** Returns the PEM form of a certificate that is given as one line of base64. */
export const certificateOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`;

/** Returns the PEM of a file or of an inline certificate, so that a container needs no file. */
const certificatesOf = (ca: string): string | Buffer =>
  /^MII[\w+/]+=*$/.test(ca) ? certificateOf(ca) : readFileSync(ca);

/** Connects to the bus of an installation. Only this function knows which drivers exist. */
export async function openBus(place: BusPlace): Promise<Bus> {
  if (place.bus === 'postgres') return PostgresBus.open(place);
  // Loaded on demand: standalone has no Kafka.
  const { KafkaBus } = await import('@carillon/messaging/kafka');
  const { brokers, name, login, ca } = place;
  return KafkaBus.open({
    connection: {
      brokers: brokers.split(',').map((broker) => broker.trim()),
      clientId: name,
      ...(login ? { sasl: { mechanism: login.mechanism, username: login.user, password: login.password } } : {}),
      ...(ca ? { tls: ca === 'system' ? {} : { ca: certificatesOf(ca) } } : {}),
    },
    ...(place.openWithinMs === undefined ? {} : { openWithinMs: place.openWithinMs }),
  });
}
