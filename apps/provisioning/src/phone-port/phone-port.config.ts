import { z } from 'zod';
import { whole } from '@carillon/service';

/** Settings of the port on which phones load their configuration. Limits are per process. */
export const phonePortConfig = {
  phoneHost: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address of the port for phones. Without a certificate, passwords travel on it unencrypted: open it to a trusted network or to a TLS proxy.',
    ),
  phonePort: whole(8081, 0, 65_535).describe('Port on which phones load their configuration; 0 takes a free one.'),
  phoneShared: z
    .preprocess((v) => v === true || v === 'true', z.boolean())
    .default(false)
    .describe('Whether other processes listen on the same port for phones, so that the system distributes the phones.'),
  publicUrl: z
    .url()
    .default('http://127.0.0.1:8080')
    .describe('Address at which users open the console. Phones reach its host unless phoneUrl is set.'),
  phoneUrl: z
    .url({ protocol: /^https?$/ })
    .refine((url) => URL.parse(url)?.pathname === '/', 'must have no path')
    .optional()
    .describe(
      'Address at which phones reach their port, `https://phones.example.com`. Without it, the host of publicUrl and phonePort.',
    ),
  phoneTlsCertificate: z
    .string()
    .default('')
    .describe(
      'File with the certificate of the port for phones and its chain, PEM; the port then speaks HTTPS. It is read again when it changes, and on SIGHUP.',
    ),
  phoneTlsKey: z.string().default('').describe('File with the key of that certificate, PEM.'),
  trustedProxies: z
    .string()
    .default('')
    .describe(
      'Addresses or networks of reverse proxies, separated by commas. They may name the client (X-Forwarded-For).',
    ),
  phoneConnections: whole(10_000, 1).describe('Most connections of phones at the same time. Further ones are closed.'),
  phoneConnectionsPerAddress: whole(5_000, 1).describe(
    'Most connections from one address (IPv6: one /64). Further ones are closed. Reverse proxies are not counted.',
  ),
  phoneRequests: whole(10_000, 1).describe('Most requests of phones that run or wait. Further ones get 503 and retry.'),
  phoneRequestsPerAddress: whole(5_000, 1).describe('The same for one address. The addresses take turns.'),
  phoneRequestsAtOnce: whole(3, 1, 100).describe(
    'Turns of phones’ requests at the same time. The others wait. A turn reads the files of a company together.',
  ),
  phoneRequestSeconds: whole(10, 1, 300).describe(
    'Longest time until a whole request has arrived, and longest pause in reading its answer. Slower connections are closed.',
  ),
  deviceRequestsPerMinute: whole(60, 0).describe(
    'Requests of one device for files in a minute, and as many events that it tells. Further ones get 429. 0 is no limit.',
  ),
  foreignFilesPerMinute: whole(30, 0).describe(
    'Requests of one device in a minute for files that are not its own. Further ones get 429, and the device an alarm. 0 is no limit.',
  ),
  firstRequestsPerMinute: whole(600, 0).describe(
    'Requests from one address in a minute of phones that know only the server’s address. Further ones get 429. 0 is no limit.',
  ),
  strangersPerMinute: whole(10, 0).describe(
    'How many of them in a minute may ask for a MAC that nobody has or that is not let in. Further ones get 429, and the log an error. 0 is no limit.',
  ),
  phoneSilenceMs: whole(7_800_000, 1_000).describe(
    'How long a phone may be silent before it counts as offline. Phones ask every hour.',
  ),
  phoneCallMs: whole(14_400_000, 1_000).describe(
    'How long a call of a phone over HTTP counts that the phone never said to have ended.',
  ),
  phoneSipPort: whole(5060, 1, 65_535).describe('UDP port on which phones take a SIP NOTIFY.'),
  phoneClientCa: z
    .string()
    .default('')
    .describe(
      'File with the authorities, PEM, that sign the certificates of phones. A phone whose certificate names its MAC needs no other first access, and gets no other configuration. Needs phoneTlsCertificate.',
    ),
  forgedTokensPerMinute: whole(30, 0).describe(
    'Requests with a forged token from one address in a minute. Further ones get 429, and the log an error. Correct tokens from there are not limited. 0 is no limit.',
  ),
};
