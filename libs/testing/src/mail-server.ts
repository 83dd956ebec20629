import PostalMime, { type Email } from 'postal-mime';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';
import { freePort } from '@carillon/devtools/free-port';
import { eventually } from './eventually.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Email['headers'];
  secure: boolean;
  user: string | undefined;
  /** The first link in the mail. */
  link: string | undefined;
  /** The mail as received. */
  raw: string;
}

export interface MailServer {
  port: number;
  /** Settings of notification for this server. */
  settings: {
    smtpHost: string;
    smtpPort: number;
    smtpSecurity: 'tls' | 'starttls';
    smtpUser: string;
    smtpPassword: string;
    smtpFrom: string;
    smtpCa: string;
  };
  mails: ReceivedMail[];
  /** Returns the next mail to this address that was not returned yet. */
  next(to: string, withinMs?: number): Promise<ReceivedMail>;
  /** Answers recipients with this code until it is reset. */
  refuse(code: number | undefined): void;
  tries(): number;
  close(): Promise<void>;
}

/**
 * Starts a real SMTP server with TLS, a self-signed certificate and a login. Mails are parsed like in a mail program.
 */
export async function startMailServer(
  options: { security?: 'tls' | 'starttls'; port?: number } = {},
): Promise<MailServer> {
  const { security = 'tls', port = await freePort() } = options;
  // Each server has its own issuer name, so that two in one test can be told apart.
  const names = [
    { name: 'commonName', value: 'localhost' },
    { name: 'organizationName', value: `Server ${port}` },
  ];
  const { private: key, cert } = await generate(names, {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      { name: 'basicConstraints', cA: true },
    ],
  });
  const mails: ReceivedMail[] = [];
  const given = new Set<ReceivedMail>();
  let refusal: number | undefined;
  let tries = 0;
  const server = new SMTPServer({
    secure: security === 'tls',
    key,
    cert,
    authOptional: false,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'carillon' && password === 'mail-secret') done(null, { user: username });
      else done(new Error('wrong login'));
    },
    onRcptTo(_address, _session, done) {
      tries += 1;
      if (refusal === undefined) return done();
      done(Object.assign(new Error('refused by the test'), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const raw = Buffer.concat(parts);
          PostalMime.parse(raw).then((mail) => {
            mails.push({
              from: mail.from?.address ?? '',
              to: session.envelope.rcptTo.map((r) => r.address),
              subject: mail.subject ?? '',
              text: mail.text ?? '',
              html: mail.html ?? '',
              headers: mail.headers,
              secure: session.secure,
              user: session.user === undefined ? undefined : String(session.user),
              link: /https?:\/\/\S+/.exec(mail.text ?? '')?.[0],
              raw: raw.toString(),
            });
            done();
          }, done);
        });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port,
    mails,
    settings: {
      smtpHost: 'localhost',
      smtpPort: port,
      smtpSecurity: security,
      smtpUser: 'carillon',
      smtpPassword: 'mail-secret',
      smtpFrom: 'Carillon <carillon@example.com>',
      smtpCa: cert,
    },
    next: (to, withinMs = 10_000) =>
      eventually(() => {
        const found = mails.find((m) => !given.has(m) && m.to.some((t) => t.toLowerCase() === to.toLowerCase()));
        if (!found) throw new Error(`no mail to ${to}; there are ${mails.length} in all`);
        given.add(found);
        return found;
      }, withinMs),
    refuse(code) {
      refusal = code;
    },
    tries: () => tries,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
      }),
  };
}
