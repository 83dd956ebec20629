import { z } from 'zod';
import { faviconMaximum, pictureMaximum, smtpPort } from '../define/constant.ts';
import { hostName, hostPattern, port } from '../define/host.ts';
import { languages } from '../define/language.ts';

/** Spec, sections 5 and 9: logo and other pictures under 100 KB, the favicon under 10 KB. */
export { faviconMaximum, pictureMaximum };

/** Longer than a picture may be, so that a picture that is too large gets its own error. */
const base64 = z.base64().max(240_000);
export { hostPattern };
const host = z.string().trim().toLowerCase().max(260).regex(hostPattern, 'config.hostWrong');
/** No line breaks and no second address: the value becomes a mail header. */
const sender = z
  .string()
  .trim()
  .min(3)
  .max(320)
  .regex(/^([^<>"\r\n@,;]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/, 'config.senderWrong');
const certificate = z.string().max(16_384);

export const mailSecurities = ['tls', 'starttls', 'none'] as const;
const mailServer = {
  host,
  port: port.default(smtpPort),
  security: z.enum(mailSecurities).default('tls'),
  user: z.string().trim().max(255).nullable(),
  from: sender,
};
/** Without a password the stored one stays if the server is the same; null removes it. */
export const mailServerInput = z.strictObject({
  ...mailServer,
  password: z.string().min(1).max(255).nullable().optional(),
});

/**
 * Returns whether a stored password may be sent to this server: another host, port or weaker encryption requires it
 * again (docs/attack-cases.md, E7).
 */
export const sameServer = (
  a: { host: string; port: number; security: string },
  b: { host: string; port: number; security: string },
): boolean => a.host === b.host && a.port === b.port && a.security === b.security;

export const fcsTransports = ['udp', 'tcp', 'tls'] as const;
/** A SIP server of FCS (ACC-03). */
export const fcsServer = z.strictObject({
  name: z.string().trim().min(1).max(64),
  address: hostName,
  port,
  transport: z.enum(fcsTransports),
  domain: z.string().trim().max(253),
});
export type FcsServer = z.output<typeof fcsServer>;
/** Accounts refer to a server by its name. */
const fcs = z.strictObject({
  enabled: z.boolean(),
  localConfigSync: z.boolean(),
  servers: z
    .array(fcsServer)
    .max(50)
    .check(({ value, issues }) => {
      for (const [at, { name }] of value.entries())
        if (value.findIndex((s) => s.name.toLowerCase() === name.toLowerCase()) < at)
          issues.push({ code: 'custom', message: 'config.fcsServerTwice', path: [at, 'name'], input: name });
    }),
});

/** A text that the operator replaces, by language; null: the product's own. */
export const legalTexts = z
  .strictObject(
    Object.fromEntries(languages.map((l) => [l, z.string().max(20_000).nullable()])) as Record<
      (typeof languages)[number],
      z.ZodNullable<z.ZodString>
    >,
  )
  .nullable();

const setting = <K extends string, V extends z.ZodType>(configKey: K, value: V) =>
  z.strictObject({ configKey: z.literal(configKey), value });

/**
 * Every setting of the installation (SYS-01). Null restores the default of the product.
 */
export const sysConfigInput = z.discriminatedUnion('configKey', [
  setting('systemName', z.string().trim().min(1).max(64).nullable()),
  setting('abbreviatedName', z.string().trim().min(1).max(32).nullable()),
  setting('copyright', z.string().trim().min(1).max(256).nullable()),
  setting('logo', base64.nullable()),
  setting('loginImage', base64.nullable()),
  setting('favicon', base64.nullable()),
  setting('emailServer', mailServerInput.nullable()),
  setting('fcs', fcs),
  setting('certificates', z.array(certificate).max(20)),
  setting('frameHosts', z.array(host).max(100)),
  setting('importCsv', z.boolean()),
  setting('terms', legalTexts),
  setting('privacy', legalTexts),
]);
export type SysConfigInput = z.output<typeof sysConfigInput>;
export type ConfigKey = SysConfigInput['configKey'];

/** Settings whose value is the address of a picture. */
export const pictureKeys = ['logo', 'loginImage', 'favicon'] as const;
export type PictureKey = (typeof pictureKeys)[number];
/** Settings that anyone may read, also before a login. */
export const publicKeys = [
  'systemName',
  'abbreviatedName',
  'copyright',
  ...pictureKeys,
  'terms',
  'privacy',
] as const satisfies readonly ConfigKey[];

/** Details of a certificate that outgoing connections trust. */
export const certificateFacts = z.object({
  pem: z.string(),
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  fingerprint: z.string(),
});
export type CertificateFacts = z.output<typeof certificateFacts>;
/** The mail server without its password: only whether there is one. */
export const mailServerFacts = z.object({
  host: z.string(),
  port: z.number(),
  security: z.enum(mailSecurities),
  user: z.string().nullable(),
  from: z.string(),
  passwordSet: z.boolean(),
});
export type MailServerFacts = z.output<typeof mailServerFacts>;
export type FcsConfig = z.output<typeof fcs>;

/** The public settings that every screen needs; pictures are addresses on this server. */
export const systemInfo = z
  .object({
    systemName: z.string().nullable(),
    abbreviatedName: z.string().nullable(),
    copyright: z.string().nullable(),
    logo: z.string().nullable(),
    loginImage: z.string().nullable(),
    favicon: z.string().nullable(),
  })
  .meta({ id: 'SystemInfo' });
export type SystemInfo = z.output<typeof systemInfo>;
