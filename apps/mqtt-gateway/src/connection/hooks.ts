import type { Connect } from '../codec/decode.ts';

/** A refusal that CONNACK can say: `returnCode` 2 to 5, as Aedes' hooks have it. */
export class Refused extends Error {
  constructor(
    readonly returnCode: 3 | 4 | 5,
    message: string,
  ) {
    super(message);
  }
}

/** A PUBLISH as the hook sees it. `payload` lies in the shared read buffer: it is only good until the hook returns. */
export interface Publish {
  cmd: 'publish';
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  dup: boolean;
  retain: false;
  messageId: number;
}

/** The hooks of Aedes that the gateway fills, with our connection, `Client`, in the place of its own. */
export interface Hooks<Client> {
  /** Before a CONNECT is looked at: admission. */
  preConnect(client: Client, packet: Connect, done: (error: Refused | null, taken: boolean) => void): void;
  /** Who it is, and the claim. */
  authenticate(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: Refused | null, known: boolean) => void,
  ): void;
  /** Runs before PUBACK, which follows `done`: so the hook calls it when the message is stored. An error closes. */
  authorizePublish(client: Client, packet: Publish, done: (error?: Error | null) => void): void;
  /** Answers the subscription, or null for 0x80. */
  authorizeSubscribe(
    client: Client,
    subscription: { topic: string; qos: number },
    done: (error: Error | null, subscription?: { topic: string; qos: number } | null) => void,
  ): void;
}
