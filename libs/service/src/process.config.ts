import { z } from 'zod';
import { defineConfig, secretKey, secretText, whole } from './config.ts';

const flag = z.preprocess(
  (v) => (v === 'true' || v === '1' ? true : v === 'false' || v === '0' || v === '' ? false : v),
  z.boolean(),
);

/** Settings for the Kafka login and the verification of brokers. */
export const kafkaLogin = {
  kafkaUser: z
    .string()
    .default('')
    .describe("With Kafka: the user that this program logs in as; carillon_ and the service's name when empty."),
  kafkaPassword: secretText()
    .optional()
    .describe('With Kafka: the password of that user (SCRAM-SHA-256). Absent: brokers that take everyone.'),
  kafkaCa: z
    .string()
    .default('')
    .describe(
      "With Kafka over TLS: a file with the certificates (PEM) that the brokers' are signed by, one such certificate itself (base64 in one line), or `system` for those of the system. Empty: no TLS.",
    ),
};

/** Settings of every process of the cluster, whichever service it runs. */
export const processConfig = defineConfig({
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .describe('Name of this process: unique in the installation and the same after a restart.'),
  httpHost: z.string().default('127.0.0.1').describe('Address on which the service answers calls.'),
  httpPort: whole(0, 0, 65_535).describe('Port on which the service answers calls; 0 and no socket: it answers none.'),
  httpSocket: z.string().default('').describe('Unix socket on which the service answers calls, instead of a port.'),
  httpShared: flag
    .default(false)
    .describe('Whether other processes listen on the same port, and the system spreads connections over them.'),
  opsHost: z
    .string()
    .default('127.0.0.1')
    .describe('Address of /livez, /readyz and /metrics, which no client should reach.'),
  opsPort: whole(0, 0, 65_535).describe('Port of /livez, /readyz and /metrics; 0 and no socket: they are not served.'),
  opsSocket: z.string().default('').describe('Unix socket of /livez, /readyz and /metrics, instead of a port.'),
  contextKey: secretKey().describe(
    'Key that the API gateways sign calls with: the same for all processes. A call without that signature is refused.',
  ),
  databaseHost: z.string().default('127.0.0.1').describe('Host of PostgreSQL, or the folder of its Unix socket.'),
  databasePort: whole(5432, 1, 65_535).describe('Port of PostgreSQL.'),
  databaseName: z
    .string()
    .default('')
    .describe("Database of this service; carillon_ and the service's name when empty."),
  databasePassword: secretText()
    .optional()
    .describe('Password of the application role, which is called as the database and _app.'),
  databasePool: whole(5, 1, 100).describe('Connections to the database that this process may hold.'),
  bus: z.enum(['postgres', 'kafka']).default('kafka').describe('What carries events between the processes.'),
  busPassword: secretText()
    .optional()
    .describe('With the bus in PostgreSQL: password of the role carillon_bus_app, on the same server.'),
  kafkaBrokers: z
    .string()
    .default('127.0.0.1:9092')
    .describe('With Kafka: its brokers as host:port, separated by commas.'),
  ...kafkaLogin,
  drainMs: whole(1_500, 0, 60_000).describe(
    'Told to end, the process goes on taking calls for this long, so that who sends them notices.',
  ),
  otlpUrl: z.string().optional().describe('Where traces go, OTLP over HTTP. Nothing is sent when absent.'),
  traceFile: z.string().optional().describe('File that each ended span is appended to as a JSON line.'),
  logLevel: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('From which level the log is written.'),
});
