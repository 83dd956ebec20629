import type { Connect } from '../codec/decode.ts';

/** A refusal by CONNACK: `returnCode` 2 to 5, as in Aedes' hooks. */
export class Refused extends Error {
  constructor(
    readonly returnCode: 3 | 4 | 5,
    message: string,
  ) {
    super(message);
  }
}

/** A PUBLISH for the hook. `payload` is in the shared read buffer and valid only until the hook returns. */
export interface Publish {
  cmd: 'publish';
  topic: string;
  payload: Buffer;
  qos: 0 | 1;
  dup: boolean;
  retain: false;
  messageId: number;
}

/** The hooks of Aedes that the gateway implements, with our connection as `Client`. */
export interface Hooks<Client> {
  /** Admission, before a CONNECT is examined. */
  preConnect(client: Client, packet: Connect, done: (error: Refused | null, taken: boolean) => void): void;
  /** Authenticates the device and claims it. */
  authenticate(
    client: Client,
    username: string | undefined,
    password: Buffer | undefined,
    done: (error: Refused | null, known: boolean) => void,
  ): void;
  /**
   * Runs before PUBACK, which follows `done`, so it calls `done` when the message is stored. An error closes the
   * connection.
   */
  authorizePublish(client: Client, packet: Publish, done: (error?: Error | null) => void): void;
  /** Returns the subscription, or null for 0x80. */
  authorizeSubscribe(
    client: Client,
    subscription: { topic: string; qos: number },
    done: (error: Error | null, subscription?: { topic: string; qos: number } | null) => void,
  ): void;
}
