import { addPartitionsToTxnV3, Connection, endTxnV3, findCoordinatorV4, initProducerIdV5 } from '@platformatic/kafka';
import { KafkaBus } from './kafka.ts';

/** Parses `host:port,host:port#prefix`, the argument that the suite gives to its child processes. */
export const parse = (arg: string): { brokers: string[]; prefix: string } => ({
  brokers: arg.split('#')[0]!.split(','),
  prefix: arg.split('#')[1] ?? '',
});

/**
 * Opens this driver for the suite, in its own process and in the processes it kills: with topics that can be compacted
 * at once, and tombstones without a grace period.
 */
export const open = (arg: string): Promise<KafkaBus> => {
  const { brokers, prefix } = parse(arg);
  return KafkaBus.open({
    connection: { brokers },
    prefix,
    heartbeatMs: 200,
    topicConfigs: (topic): Record<string, string> =>
      topic.cleanup === 'compact'
        ? { 'segment.ms': '100', 'min.cleanable.dirty.ratio': '0.0', 'delete.retention.ms': '0' }
        : {},
  });
};

let transactions = 0;

/**
 * Appends an empty transaction: only its markers can be appended without being a record, and an append makes a broker
 * close a segment that is old enough, so that it can be compacted.
 */
export async function mark(broker: string, topic: string, partitions: number): Promise<void> {
  const at = (host: string, port: number): Promise<Connection> => {
    const connection = new Connection('suite', {});
    return Promise.resolve(connection.connect(host, port)).then(() => connection);
  };
  const id = `mark-${process.pid}-${++transactions}`;
  const any = await at('127.0.0.1', Number(broker.split(':')[1]));
  for (let tries = 0; ; tries += 1) {
    try {
      const {
        coordinators: [found],
      } = await findCoordinatorV4.api.async(any, 1, [id]);
      const coordinator = await at(found!.host, found!.port);
      const { producerId, producerEpoch } = await initProducerIdV5.api.async(
        coordinator,
        id,
        30_000,
        undefined as never,
        undefined as never,
      );
      await addPartitionsToTxnV3.api.async(coordinator, [
        {
          transactionalId: id,
          producerId,
          producerEpoch,
          verifyOnly: false,
          topics: [{ name: topic, partitions: Array.from({ length: partitions }, (_, p) => p) }],
        },
      ]);
      await endTxnV3.api.async(coordinator, id, producerId, producerEpoch, true);
      await coordinator.close();
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
  await any.close();
}
