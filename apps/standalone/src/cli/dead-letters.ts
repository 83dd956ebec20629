import { deadTopic, dropDeadLetters, listDeadLetters, retryDeadLetters, type Bus } from '@carillon/messaging';
import { openBus } from '@carillon/service/bus';
import { consumingServices } from '@carillon/service/bus-access';
import { v7 as uuidv7 } from 'uuid';
import { dataFolder, readSecrets, readState } from './data-folder.ts';
import { clusterKafkaPlace, namedKafka } from './kafka-login.ts';
import { Trouble } from './trouble.ts';

const groups: readonly string[] = consumingServices;

/** Lists dead letters with `list`, sends them again with `retry ID…`, or deletes them with `drop ID…`. */
export async function deadLetters(
  what: string,
  ids: readonly string[],
  options: { data?: string; group?: string; brokers?: string },
): Promise<void> {
  if (!['list', 'retry', 'drop'].includes(what)) throw new Trouble(`"${what}" is none of list, retry and drop.`);
  if (what !== 'list' && ids.length === 0) throw new Trouble(`${what} needs the ids that \`dead-letters list\` shows.`);
  if (options.group !== undefined && !groups.includes(options.group))
    throw new Trouble(`There is no group ${options.group}; there are ${groups.join(', ')}.`);
  const bus = await busOf(options);
  try {
    // Services that consume nothing may have no dead-letter topic yet.
    await bus.ensureTopics(groups.map(deadTopic));
    const missing = new Set(ids);
    for (const group of options.group ? [options.group] : groups) {
      const letters = await listDeadLetters(bus, group);
      if (what === 'list') {
        for (const l of letters)
          process.stdout.write(
            `${group.padEnd(12)} ${l.id}  ${new Date(l.at).toISOString()}  ${l.topic} ${l.type}  ${l.error}\n`,
          );
        continue;
      }
      const chosen = letters.filter((l) => ids.includes(l.id));
      for (const l of chosen) missing.delete(l.id);
      await (what === 'retry' ? retryDeadLetters : dropDeadLetters)(bus, group, chosen);
      for (const l of chosen)
        process.stdout.write(`${group.padEnd(12)} ${l.id}  ${what === 'retry' ? 'sent again' : 'dropped'}\n`);
    }
    if (missing.size > 0) throw new Trouble(`There is no dead letter ${[...missing].join(', ')}.`);
  } finally {
    await bus.close();
  }
}

/** Opens the Kafka at `brokers`, or the bus of the instance in this folder. */
async function busOf(options: { data?: string; brokers?: string }): Promise<Bus> {
  const name = 'dead-letters';
  if (options.brokers !== undefined) {
    return openBus(namedKafka(options.brokers, name)).catch((error: Error) => {
      throw new Trouble(`No Kafka answers at ${options.brokers}: ${error.message}`);
    });
  }
  const folder = dataFolder(options.data);
  const state = readState(folder);
  if (!state?.ready) throw new Trouble('Nothing is running; start it with `./carillon up`.');
  const secrets = readSecrets(folder, uuidv7);
  return openBus(
    state.brokers
      ? clusterKafkaPlace(folder, state.brokers, secrets, name)
      : {
          bus: 'postgres',
          name,
          connection: {
            host: state.postgres.socket,
            port: 5432,
            database: 'carillon_bus',
            user: 'carillon_bus_app',
            password: secrets.databases['bus']!.app,
          },
        },
  );
}
