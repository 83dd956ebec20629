import { Command, Option } from 'commander';
import { addUpOptions, dataOption, sipPortOption, wholeNumber, type UpOptions } from './options.ts';
import { asTrouble, Trouble } from './trouble.ts';

const program = new Command('carillon')
  .description('Manages SIP phones and door devices from one console.')
  .showHelpAfterError();

addUpOptions(program.command('up'))
  .description('start everything on this machine and print the address')
  .action(async (options: UpOptions, command: Command) => (await import('./up.ts')).up(options, command));

program
  .command('down')
  .description('stop what up started')
  .addOption(dataOption)
  .action(async (options) => (await import('./down.ts')).down(options));

program
  .command('status')
  .description('what runs, and how it is')
  .addOption(dataOption)
  .option('--json', 'one line of JSON')
  .action(async (options) => (await import('./status.ts')).status(options));

program
  .command('roll')
  .description('replace the processes of a running cluster one by one, while it works')
  .argument('[names...]', 'only these, as `status` calls them')
  .addOption(dataOption)
  .action(async (names, options) => (await import('./roll.ts')).roll(names, options));

program
  .command('logs')
  .description('the log of a service, or of all')
  .argument('[service]')
  .addOption(dataOption)
  .option('-f, --follow', 'go on as it grows')
  .option('-n, --lines <count>', 'last lines', wholeNumber, 100)
  .action(async (service, options) => (await import('./logs.ts')).logs(service, options));

program
  .command('simulate')
  .description('simulated devices against a running instance')
  .addOption(dataOption)
  .option('--devices <count>', 'how many', wholeNumber, 200)
  .option('--behaviour <mix>', 'for example normal=90,slow=5,failing=5')
  .option(
    '--kind <makers>',
    'new phones of these makers over HTTP instead: fanvil,yealink,grandstream,snom,poly,akuvox,htek',
  )
  .addOption(sipPortOption)
  .action(async (options) => (await import('./simulate.ts')).simulate(options));

program
  .command('test')
  .description('what is checked before a change lands; `all` runs everything')
  .argument('[parts...]', 'only these parts, or `all`')
  .option('--slow', 'the slow tests of these parts as well')
  .option('--changed [since]', 'lint, types and the tests that a change since this commit can reach')
  .option('--seeds <list>', 'seeds of the kill tests, for example 2,3,4')
  .option('--faults', 'the fault tests alone, and whole instead of their short set')
  .option('--cluster', 'the browser tests against the cluster instead of standalone')
  .option('--containers', 'PostgreSQL, Kafka and Redis of the service tests from Docker images, by testcontainers')
  .action(async (parts, options) => (await import('./test.ts')).test(parts, options));

program
  .command('write')
  .description('write again what follows from the sources: golden files, tables of the documents, the route tree')
  .action(async () => (await import('./write.ts')).write());

program
  .command('bench')
  .description('measure, beside a floor or a peer of the same run')
  .argument('[name]')
  .argument('[more...]', 'parts and options of that benchmark, as its file says')
  .allowUnknownOption()
  .option('--runs <count>', 'alternating runs', wholeNumber, 5)
  .option('--clone', 'for `start`: also from a fresh clone, with packages downloaded')
  .action(async (name, more, options) => (await import('./bench.ts')).bench(name, more, options));

program
  .command('shots')
  .description('a picture of every screen in four languages and both colour schemes')
  .argument('[folder]', 'where to', 'reports/shots')
  .addOption(dataOption)
  .option('--languages <list>', 'for example en_US,ko')
  .option('--schemes <list>', 'light,dark')
  .option('--widths <list>', '1440,390')
  .option('--only <list>', 'screens, for example list,login')
  .action(async (folder, options) => (await import('./shots.ts')).shots(folder, options));

program
  .command('topics')
  .description('make the topics on a Kafka as they are declared, and tell what is otherwise')
  .addOption(
    new Option('--brokers <list>', 'host:port of some brokers, separated by commas')
      .env('CARILLON_KAFKA_BROKERS')
      .default('127.0.0.1:9092'),
  )
  .option('--apply', 'change settings that are otherwise; never the number of partitions')
  .action(async (options) => (await import('./topics.ts')).topics(options));

program
  .command('env')
  .description('make the secrets for compose or Kubernetes')
  .argument('[file]', 'where to; deploy/.env when absent')
  .option('--add', 'add what the file of an older version lacks')
  .action(async (file, options) => (await import('./environment.ts')).env(file, options));

program
  .command('dead-letters')
  .description('messages that could not be handled: list, retry or drop them')
  .argument('<what>', 'list, retry or drop')
  .argument('[ids...]')
  .addOption(dataOption)
  .option('--group <name>', 'of this consumer group')
  .option('--brokers <list>', 'of this Kafka: host:port of some brokers, separated by commas')
  .action(async (what, ids, options) => (await import('./dead-letters.ts')).deadLetters(what, ids, options));

program
  .command('audit')
  .description('check that nobody altered or removed an entry of the operation log')
  .addOption(dataOption)
  .action(async (options) => (await import('./audit.ts')).audit(options));

program
  .command('renew-keys')
  .description('give every company new keys for its secrets, and destroy the old ones when nothing needs them any more')
  .addOption(dataOption)
  .action(async (options) => (await import('./renew-keys.ts')).renewKeys(options));

program
  .command('restore-administrator')
  .description('make a user an administrator of their company again, when nobody is left who can')
  .argument('<name>', 'login name or email')
  .addOption(dataOption)
  .action(async (name, options) => (await import('./restore-administrator.ts')).restoreAdministrator(name, options));

try {
  await program.parseAsync();
} catch (thrown) {
  // A person can fix a `Trouble`, so one sentence is enough. Other errors need the stack.
  const error = asTrouble(thrown);
  console.error(error instanceof Trouble ? `carillon: ${error.message}` : error);
  process.exitCode = 1;
}
