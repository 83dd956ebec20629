import { openBus } from '@carillon/service/bus';
import { services } from '@carillon/contracts/services';
import { declaredTopics, kafkaRights } from '@carillon/service/bus-access';
import { namedKafka } from './kafka-login.ts';
import { Trouble } from './trouble.ts';

/**
 * Creates the declared topics on Kafka and reports differences. `--apply` changes the settings and revokes permissions
 * that are no longer declared. It never changes the number of partitions, because that would break the order per key.
 */
export async function topics(options: { brokers: string; apply?: boolean }): Promise<void> {
  const { KafkaBus } = await import('@carillon/messaging/kafka');
  const bus = await openBus(namedKafka(options.brokers, 'topics')).catch((error: Error) => {
    throw new Trouble(`No Kafka answers at ${options.brokers}: ${error.message}`);
  });
  if (!(bus instanceof KafkaBus)) throw new Error('this is no Kafka');
  try {
    const missing = await bus.missing(declaredTopics);
    await bus.ensureTopics(declaredTopics);
    for (const name of missing) process.stdout.write(`made       ${name}\n`);
    let left = 0;
    for (const d of await bus.differences(declaredTopics)) {
      const line = `${d.topic} ${d.what}: ${d.there || 'nothing'} is there, ${d.declared} is declared`;
      if (options.apply && d.what !== 'partitions') {
        await bus.apply([d]);
        process.stdout.write(`changed    ${line}\n`);
        continue;
      }
      left += 1;
      process.stdout.write(`${d.what === 'partitions' ? 'refused   ' : 'different '} ${line}\n`);
    }
    if (bus.hasLogin)
      for (const right of await bus.surplusRights(services.map(kafkaRights), options.apply === true)) {
        if (!options.apply) left += 1;
        process.stdout.write(`${options.apply ? 'taken back' : 'different '} ${right}: nothing declares it\n`);
      }
    process.stdout.write(`${declaredTopics.length} topics, ${missing.length} made, ${left} different\n`);
    if (left > 0) process.exitCode = 1;
  } finally {
    await bus.close();
  }
}
