import { z } from 'zod';
import { defineConfig, secretKey, secretText, whole } from '@carillon/service';
import { kafkaLogin } from '@carillon/service/process-config';
import { databaseNames, kafkaPasswordKey, kafkaPasswordNames, type DatabaseName } from './cli/data-folder.ts';

/** Settings of the command that prepares a cluster. */
export const installConfig = defineConfig({
  data: z
    .string()
    .default('')
    .describe(
      'The data folder, with `secrets.json`. Without such a file the secrets come from the environment; the folder is then needed for demo devices only.',
    ),
  postgresHost: z.string().describe('Host of PostgreSQL, or the folder of its Unix socket.'),
  postgresPort: whole(5432, 1, 65_535).describe('Port of PostgreSQL.'),
  postgresUser: z.string().default('postgres').describe('A user who may create roles and databases.'),
  demoDevices: whole(0, 0, 100_000).describe(
    'Simulated devices that the demo company gets at the first start; 0 is an empty installation.',
  ),
  demoPhones: whole(0, 0, 1_000).describe(
    'Simulated phones over HTTP that the demo company gets once, besides its devices.',
  ),
  bus: z.enum(['postgres', 'kafka']).default('kafka').describe('The bus that carries events between the processes.'),
  kafkaBrokers: z
    .string()
    .default('127.0.0.1:9092')
    .describe('With Kafka: its brokers as host:port, separated by commas.'),
  kafkaCa: kafkaLogin.kafkaCa,
  kafkaAdminUser: z
    .string()
    .default('carillon_admin')
    .describe('With Kafka: a user who may create topics, users and their permissions.'),
  kafkaAdminMechanism: z
    .enum(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'])
    .default('PLAIN')
    .describe("How that user logs in. PLAIN: the user is in the brokers' settings, as in deploy/compose.yaml."),
  keepFirstPassword: whole(0, 0, 1).describe(
    '1: the generated passwords of the first users need not be changed at their first login; for tests and demonstrations.',
  ),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Lowest level of log entries that are written.'),
});

type PasswordKey = `${DatabaseName}DatabasePassword` | `${DatabaseName}OwnerPassword`;
const passwords = Object.fromEntries(
  databaseNames.flatMap((name): [string, z.ZodString][] => [
    [
      `${name}DatabasePassword`,
      secretText().describe(`Password of the role carillon_${name}_app, which the service works as.`),
    ],
    [
      `${name}OwnerPassword`,
      secretText().describe(`Password of the role carillon_${name}_owner, which changes the tables.`),
    ],
  ]),
) as Record<PasswordKey, z.ZodString>;

const kafkaPasswords = Object.fromEntries(
  kafkaPasswordNames.map((name): [string, z.ZodOptional<z.ZodString>] => [
    kafkaPasswordKey(name),
    secretText()
      .optional()
      .describe(
        name === 'admin'
          ? 'Password of CARILLON_KAFKA_ADMIN_USER. With it the users of all services are made and get their rights; absent: Kafka without logins.'
          : `Password of the user carillon_${name} on Kafka.`,
      ),
  ]),
);

/**
 * The secrets of `secrets.json` for installations without a data folder: compose and Kubernetes. `./carillon env`
 * creates them.
 */
export const installSecrets = defineConfig({
  postgresPassword: secretText().describe('Password of the user who may create roles and databases.'),
  ...passwords,
  ...kafkaPasswords,
  passwordPepper: secretKey().describe('Key of the keyed hash under every stored password, as for auth.'),
  adminName: z.string().min(1).max(64).default('admin').describe('Name of the first administrator.'),
  adminPassword: secretText(8).describe('Password of the first administrator, who must change it at the first login.'),
  viewerPassword: secretText(8).describe("Password of the demo company's second user."),
  companyId: z.uuid().describe('Id of the first company.'),
  orgId: z.uuid().describe('Id of its first organization.'),
});

/** Settings of the standalone process. The CLI sets most of them; see `./carillon up --help`. */
export const standaloneConfig = defineConfig({
  data: z.string().describe('The data folder, with `secrets.json`.'),
  postgresHost: z.string().describe('Host of PostgreSQL, or the folder of its Unix socket.'),
  postgresPort: whole(5432, 1, 65_535).describe('Port of PostgreSQL.'),
  postgresUser: z.string().default('postgres').describe('A user who may create roles and databases.'),
  host: z.string().default('127.0.0.1').describe('Address of console and API.'),
  port: whole(8080, 0, 65_535).describe('Port of console and API.'),
  publicUrl: z
    .url()
    .optional()
    .describe(
      'Address at which users open the console, for links in mails and for files that devices load. Without it, host and port above.',
    ),
  mqttHost: z
    .string()
    .default('127.0.0.1')
    .describe('Address of the listener for devices. Plain MQTT is not encrypted: open it only to a trusted network.'),
  mqttPort: whole(1883, 0, 65_535).describe('Port for devices.'),
  phoneHost: z.string().default('127.0.0.1').describe('Address of the port for phones that speak HTTP only.'),
  phonePort: whole(8081, 0, 65_535).describe('Port on which such phones load their configuration.'),
  deviceAddress: z
    .string()
    .optional()
    .describe('Address that devices connect to, shown to users who add one. Without it, the two above.'),
  demoDevices: whole(0, 0, 100_000).describe(
    'Simulated devices that the demo company gets at the first start; 0 is an empty installation.',
  ),
  demoPhones: whole(0, 0, 1_000).describe(
    'Simulated phones over HTTP that the demo company gets once, besides its devices.',
  ),
  keepFirstPassword: whole(0, 0, 1).describe(
    '1: the generated passwords of the first users need not be changed at their first login; for tests and demonstrations.',
  ),
  consoleDir: z.string().describe('Folder of the built console.'),
  consoleBefore: z.string().default('').describe('Folders of earlier builds, separated by commas.'),
  opsSocket: z
    .string()
    .default('')
    .describe('Unix socket of the process for /livez, /readyz and /metrics. Not served when empty.'),
  otlpUrl: z.string().optional().describe('Address for traces, OTLP over HTTP. Nothing is sent when absent.'),
  traceFile: z.string().optional().describe('File that each ended span is appended to as a JSON line.'),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Lowest level of log entries that are written.'),
});
