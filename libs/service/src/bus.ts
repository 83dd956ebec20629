import { readFileSync } from 'node:fs';
import { kafkaUserOf, type ServiceName } from '@carillon/contracts/services';
import { PostgresBus, type Bus, type BusConnection } from '@carillon/messaging';

/**
 * A process that starts waits so long for Kafka, ms. One that ended at once would be started again, later each time,
 * and be reported as broken meanwhile.
 */
export const busWithinMs = 120_000;

export interface KafkaLogin {
  user: string;
  password: string;
  /** `PLAIN`: an administrator who stands in the brokers' own settings. */
  mechanism: 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'PLAIN';
}

/** What the settings of a process say of its login; a place of `openBus`. */
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
      /** Of which at most one process lives: it takes over at once what the dead one held. */ name: string;
    }
  | {
      bus: 'kafka';
      brokers: string;
      name: string;
      login?: KafkaLogin;
      /** A file of certificates, one itself, or `system`; no TLS when absent or empty. */
      ca?: string;
      /** How long it waits for a broker that answers; not at all when absent. */ openWithinMs?: number;
    };

/** The PEM of a certificate that is given in one line of base64. */
export const certificateOf = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`;

/** A file, or one certificate itself: what a container is told needs no file. */
const certificatesOf = (ca: string): string | Buffer =>
  /^MII[\w+/]+=*$/.test(ca) ? certificateOf(ca) : readFileSync(ca);

/** Connects to the bus of an installation: the one place that knows which drivers there are. */
export async function openBus(place: BusPlace): Promise<Bus> {
  if (place.bus === 'postgres') return PostgresBus.open(place);
  // Loaded where it is wanted: standalone has no Kafka.
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
