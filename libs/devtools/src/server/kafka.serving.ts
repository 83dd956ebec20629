import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { KafkaAdmin, KafkaSettings } from './kafka.settings.ts';

/** Sends a request with the simple header of Kafka's protocol. Returns the response without the correlation id. */
type Ask = (api: number, version: number, body: Buffer) => Promise<Buffer>;

const textBytes = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Logs in with SASL PLAIN. Throws when the broker refuses. */
async function logIn(ask: Ask, { user, password }: KafkaAdmin): Promise<void> {
  const handshake = await ask(17, 1, textBytes('PLAIN'));
  const secret = Buffer.from(`\0${user}\0${password}`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(secret.length);
  const answer = handshake.readInt16BE(0) === 0 ? await ask(36, 0, Buffer.concat([length, secret])) : handshake;
  if (answer.readInt16BE(0) !== 0) throw new Error('the broker refuses the administrator');
}

/** Login and certificate for asking a broker. */
export type KafkaDoor = Pick<KafkaSettings, 'admin' | 'certificate'>;

/**
 * Returns the number of brokers that serve clients, by a Metadata request (version 1, no topic); 0 without an answer.
 */
export async function servingBrokers(port: number, { admin, certificate }: KafkaDoor = {}): Promise<number> {
  const at = { port, host: '127.0.0.1' };
  const socket: Socket = certificate ? connectTls({ ...at, ca: certificate.certificate }) : connectPlain(at);
  const closed = new Promise<never>((_, reject) => {
    socket.on('error', reject).on('close', () => reject(new Error('closed')));
  });
  closed.catch(() => undefined);
  const late = setTimeout(() => socket.destroy(), 2_000);
  let got = Buffer.alloc(0);
  let hear = (): void => undefined;
  socket.on('data', (chunk) => {
    got = Buffer.concat([got, chunk]);
    hear();
  });
  const ask: Ask = async (api, version, body) => {
    const head = Buffer.alloc(14);
    head.writeInt32BE(10 + body.length, 0);
    head.writeInt16BE(api, 4);
    head.writeInt16BE(version, 6);
    // Correlation id 1, no client id.
    head.writeInt32BE(1, 8);
    head.writeInt16BE(-1, 12);
    socket.write(Buffer.concat([head, body]));
    const whole = (): boolean => got.length >= 4 && got.length >= 4 + got.readInt32BE(0);
    const heard = new Promise<void>((resolve) => {
      hear = () => {
        if (whole()) resolve();
      };
    });
    await Promise.race([heard, closed]);
    const end = 4 + got.readInt32BE(0);
    const answer = got.subarray(8, end);
    got = got.subarray(end);
    return answer;
  };
  try {
    if (admin) await logIn(ask, admin);
    const noTopics = Buffer.alloc(4);
    // The number of brokers comes first.
    return (await ask(3, 1, noTopics)).readInt32BE(0);
  } catch {
    return 0;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}
