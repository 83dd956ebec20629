import { z } from 'zod';
import { faviconMaximum, pictureMaximum, smtpPort } from '../define/constant.ts';
import { hostName, hostPattern, port } from '../define/host.ts';
import { languages } from '../define/language.ts';

/** Spec, sections 5 and 9: logo and other pictures under 100 KB, the favicon under 10 KB. */
export { faviconMaximum, pictureMaximum };

/** More than a picture may have, so that one that is too large hears why. */
const base64 = z.base64().max(240_000);
export { hostPattern };
const host = z.string().trim().toLowerCase().max(260).regex(hostPattern, 'config.hostWrong');
/** No line breaks and no second address: it becomes a header. */
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
/** Without a password the stored one stays, as long as it is for the same server; null takes it away. */
export const mailServerInput = z.strictObject({
  ...mailServer,
  password: z.string().min(1).max(255).nullable().optional(),
});

/**
 * Whether a stored password may go there: to another host, at another port or less sealed it is asked for again
 * (docs/attack-cases.md, E7).
 */
export const sameServer = (
  a: { host: string; port: number; security: string },
  b: { host: string; port: number; security: string },
): boolean => a.host === b.host && a.port === b.port && a.security === b.security;

export const fcsTransports = ['udp', 'tcp', 'tls'] as const;
/** A SIP server of FCS (spec, section 2: /system/config/addFcsSipServer). */
export const fcsServer = z.strictObject({
  name: z.string().trim().min(1).max(64),
  address: hostName,
  port,
  transport: z.enum(fcsTransports),
  domain: z.string().trim().max(253),
});
export type FcsServer = z.output<typeof fcsServer>;
/** By its name the accounts of a server stay with it. */
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

/** A text that the operator replaces in the languages that he has it in; null: the product's own. */
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

/** Every setting of the installation (spec, section 3: configKey and value). Null is the default of the product. */
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

/** Pictures are told by their address. */
export const pictureKeys = ['logo', 'loginImage', 'favicon'] as const;
export type PictureKey = (typeof pictureKeys)[number];
/** What anybody may read, before a login too. */
export const publicKeys = [
  'systemName',
  'abbreviatedName',
  'copyright',
  ...pictureKeys,
  'terms',
  'privacy',
] as const satisfies readonly ConfigKey[];

/** What is shown of a certificate that outgoing connections trust. */
export const certificateFacts = z.object({
  pem: z.string(),
  subject: z.string(),
  issuer: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  fingerprint: z.string(),
});
export type CertificateFacts = z.output<typeof certificateFacts>;
/** The mail server as it is read: of the password only whether there is one. */
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

/** The public part, as every screen begins with it; pictures as addresses of this server. */
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
