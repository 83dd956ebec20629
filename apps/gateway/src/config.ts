import { z } from 'zod';
import { services } from '@carillon/contracts';
import { idleMs } from '@carillon/tenancy';
import { defineConfig, secretKey, whole } from '@carillon/service';

const fromJson = <S extends z.ZodType>(schema: S) =>
  z.preprocess((v, issue) => {
    if (typeof v !== 'string') return v;
    try {
      return JSON.parse(v) as unknown;
    } catch {
      issue.addIssue('is not JSON');
      return z.NEVER;
    }
  }, schema);

const place = z.union([
  z.strictObject({ socketPath: z.string() }),
  z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
  z.strictObject({ every: z.url({ protocol: /^https?$/ }) }),
]);
/** Where one process of a service can be reached. */
export type Place = z.output<typeof place>;
const upstream = z.union([z.array(place), place.transform((one) => [one])]);

export const gatewayConfig = defineConfig({
  tokenKey: secretKey().describe('Key that signs access tokens: the same for auth and the API gateways.'),
  clientId: z.string().min(1).max(64).describe('Client id that /carillon.json gives to the console.'),
  clientSecret: z.string().min(16).max(256).describe('Client secret that /carillon.json gives to the console.'),
  upstreams: fromJson(z.partialRecord(z.enum(services), upstream)).describe(
    'Addresses of the processes of each service, as JSON: { "auth": { "socketPath": "…" } } or { "auth": [{ "url": "http://…" }, { "url": "http://…" }] }, or { "auth": { "every": "http://…" } } for every address that the name has, which is resolved repeatedly.',
  ),
  consoleDir: z.string().optional().describe('Folder of the built console. Without it only the API is served.'),
  consoleBefore: z
    .string()
    .default('')
    .describe(
      'Folders of earlier builds, separated by commas. Their assets are still served to pages that were open during an update.',
    ),
  productName: z
    .string()
    .max(64)
    .default('Carillon')
    .describe('Name of the product in the console and the API portal.'),
  version: z.string().max(64).default('0.1.0').describe('Version that the console and the API portal show.'),
  trustedProxies: z
    .string()
    .default('')
    .describe(
      'Addresses or networks of reverse proxies, separated by commas. They may name the client (X-Forwarded-For, X-Forwarded-Proto).',
    ),
  idleSeconds: whole(idleMs / 1000, 1, 86_400).describe(
    'A session ends after this time without activity; the same as for auth.',
  ),
  feedSeconds: whole(60, 1, 3_600).describe(
    'When the feed of sessions and permissions was not confirmed for this long, every call is answered with 503.',
  ),
  streamsPerSession: whole(8, 1, 100).describe('Most live streams of one session.'),
  connections: whole(10_000, 1).describe('Most connections at the same time. Further ones are closed.'),
  connectionsPerAddress: whole(1_000, 1).describe(
    'Most connections at the same time from one address (IPv6: one /64). Further ones are closed. Reverse proxies are not counted.',
  ),
  downloads: whole(8_000, 1).describe(
    'Most downloads of devices at the same time, as a part of the connections above. Further ones are asked to retry.',
  ),
  downloadIdleSeconds: whole(60, 1, 3_600).describe('A download is closed after this time without progress.'),
  headersSeconds: whole(15, 1, 300).describe('Longest time until all headers of a request have arrived.'),
  loginsPerMinute: whole(300, 0).describe(
    'Logins and refreshes from one address (IPv6: one /64) in a minute, over all API gateways; 0 is no limit.',
  ),
  publicCallsPerMinute: whole(600, 0).describe(
    'Other calls without a session from one address in a minute; 0 is no limit.',
  ),
  sessionCallsPerMinute: whole(3_000, 0).describe(
    'Calls of one session in a minute, over all API gateways; 0 is no limit.',
  ),
  filesPerMinute: whole(20_000, 0).describe(
    'Files of the console and other requests that are no call, from one address in a minute; 0 is no limit.',
  ),
  answerSeconds: whole(65, 1, 600).describe(
    'A call whose service begins no answer for this long, or pauses in it, gets 503.',
  ),
  answerIdleSeconds: whole(15, 1, 300).describe(
    'A connection whose client takes nothing of an answer for this long is closed.',
  ),
  bodyBytesPerSession: whole(67_108_864, 1_048_576).describe(
    'Most bytes of request bodies over 64 KiB that one session has in memory. A company has twice, a process four times as much.',
  ),
  companyCallsPerMinute: whole(60_000, 0).describe(
    'Calls of all sessions of one company together in a minute, over all API gateways; 0 is no limit.',
  ),
  bodyIdleSeconds: whole(30, 1, 300).describe('Longest pause inside a request body.'),
  bodySeconds: whole(30, 1, 300).describe('Longest time for the whole body of a call without a session.'),
  requestSeconds: whole(600, 1, 3_600).describe('Longest time until the whole request of any call has arrived.'),
  slowPerAddress: whole(64, 1).describe(
    'Most request bodies that one address without a session sends at the same time (IPv6: one /64).',
  ),
  slowPerSession: whole(16, 1).describe(
    'Most request bodies and long answers of one session that are transferred at the same time.',
  ),
  slowPerCompany: whole(256, 1).describe('The same for all sessions of one company together.'),
  callsAtOnce: whole(64, 1).describe('Most calls of one session that wait for their answers. Further ones get 429.'),
  companyCallsAtOnce: whole(512, 1).describe('The same for all sessions of one company together.'),
});
export type GatewayConfig = z.output<typeof gatewayConfig>;
