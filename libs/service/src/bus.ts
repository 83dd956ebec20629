import { PostgresBus, type Bus, type BusConnection } from '@carillon/messaging';

/**
 * A process that starts waits so long for Kafka, ms. One that ended at once would be started again, later each time,
 * and be reported as broken meanwhile.
 */
export const busWithinMs = 120_000;

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
      /** How long it waits for a broker that answers; not at all when absent. */ openWithinMs?: number;
    };

/** Connects to the bus of an installation: the one place that knows which drivers there are. */
export async function openBus(place: BusPlace): Promise<Bus> {
  if (place.bus === 'postgres') return PostgresBus.open(place);
  // Loaded where it is wanted: standalone has no Kafka.
  const { KafkaBus } = await import('@carillon/messaging/kafka');
  return KafkaBus.open({
    connection: { brokers: place.brokers.split(',').map((broker) => broker.trim()), clientId: place.name },
    ...(place.openWithinMs === undefined ? {} : { openWithinMs: place.openWithinMs }),
  });
}
