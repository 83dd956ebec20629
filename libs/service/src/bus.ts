import { PostgresBus, type Bus, type BusConnection } from '@carillon/messaging';

export type BusPlace =
  | { bus: 'postgres'; connection: BusConnection; /** Of which at most one process lives: it takes over at once what the dead one held. */ name: string }
  | { bus: 'kafka'; brokers: string; name: string };

/** Connects to the bus of an installation: the one place that knows which drivers there are. */
export async function openBus(place: BusPlace): Promise<Bus> {
  if (place.bus === 'postgres') return PostgresBus.open(place);
  // Loaded where it is wanted: standalone has no Kafka.
  const { KafkaBus } = await import('@carillon/messaging/kafka');
  return KafkaBus.open({ connection: { brokers: place.brokers.split(',').map((broker) => broker.trim()), clientId: place.name } });
}
