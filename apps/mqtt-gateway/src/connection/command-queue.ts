import { linkLimits, linkTopic } from '@carillon/contracts/link';
import { publish } from '../codec/encode.ts';
import type { Drop } from '../counters.ts';

/** A queued command: its JSON without the closing brace, so that `now` can be added when it is written. */
export interface Waiting {
  id: string;
  open: string;
  /** Length of `open` in UTF-8. */
  bytes: number;
  /** Unix time in milliseconds after which it is not written any more. */
  deadline: number;
  /** It moves a door, so the clock must be trusted when it is written. */
  door: boolean;
}

/** The welcome in the form of a queued command. */
export type Greeting = Pick<Waiting, 'open' | 'bytes'>;

/** The connection that a queue writes to. */
export interface Recipient {
  readonly id: string;
  readonly socket: { readonly writableLength: number };
  readonly helloed: boolean;
  /** QoS granted for the command topic, -1 while not subscribed. */
  readonly commandQos: number;
  nextMessageId: number;
  /** The queue itself, null while it is empty. */
  commands: CommandQueue | null;
  send(packet: string): void;
  /** Closes the connection because its device does not read or does not acknowledge. */
  closeFrozen(): void;
}

/** What a device's queue needs from its process. */
export interface QueueHost {
  readonly config: { readonly outboundBytes: number; readonly outboundMessages: number };
  readonly clock: { now(): number };
  /** Returns whether a door may be moved now. */
  mayMoveDoors(): boolean;
  countDrop(why: Drop): void;
  countWritten(): void;
}

/** Most devices have one command at a time, so empty lists are shared and created with the first entry. */
const none: Waiting[] = [];
const nothing: number[] = [];

/**
 * The ordered commands of a device: at most `outboundMessages` written and unacknowledged, at most `outboundBytes`
 * queued or unacknowledged. A device above these limits is closed instead of waited for. The queue exists only while it
 * has entries.
 */
export class CommandQueue {
  private queue: Waiting[] = none;
  /** Message id and bytes of each entry in turn. */
  private inFlight: number[] = nothing;
  private bytes = 0;
  private greeting: Greeting | null = null;
  constructor(private readonly host: QueueHost) {}

  get empty(): boolean {
    return this.greeting === null && this.queue.length === 0 && this.inFlight.length === 0;
  }

  add(connection: Recipient, command: Waiting): void {
    const bytes = this.bytes + command.bytes;
    if (bytes + connection.socket.writableLength > this.host.config.outboundBytes) return connection.closeFrozen();
    // Most devices have nothing else in flight, so a command that is written at once needs no list.
    if (this.queue === none && this.greeting === null && this.isOpen(connection))
      return this.writeInTime(connection, command);
    if (this.queue === none) this.queue = [command];
    else this.queue.push(command);
    this.bytes = bytes;
    this.pump(connection);
  }

  /** Withdraws commands that were not written yet. */
  withdraw(ids: readonly string[]): void {
    for (let i = this.queue.length - 1; i >= 0; i--) {
      if (!ids.includes(this.queue[i]!.id)) continue;
      this.bytes -= this.queue[i]!.bytes;
      this.queue.splice(i, 1);
      this.host.countDrop('withdrawn');
    }
  }

  acknowledge(connection: Recipient, messageId: number): void {
    let i = 0;
    while (i < this.inFlight.length && this.inFlight[i] !== messageId) i += 2;
    if (i >= this.inFlight.length) return;
    this.bytes -= this.inFlight[i + 1]!;
    if (this.inFlight.length === 2) this.inFlight = nothing;
    else this.inFlight.splice(i, 2);
    if (this.queue.length > 0) this.pump(connection);
    if (this.empty && connection.commands === this) connection.commands = null;
  }

  /** Writes what the window allows; commands wait until the device has said hello and subscribed. */
  pump(connection: Recipient): void {
    if (!connection.helloed || connection.commandQos === -1) return;
    if (this.greeting !== null) {
      this.write(connection, this.greeting, this.host.clock.now());
      this.greeting = null;
    }
    while (this.queue.length > 0 && this.isOpen(connection)) {
      const command = this.queue.shift()!;
      if (this.queue.length === 0) this.queue = none;
      this.bytes -= command.bytes;
      this.writeInTime(connection, command);
    }
  }

  /** Returns whether the device has subscribed and its window has room. */
  private isOpen(connection: Recipient): boolean {
    return (
      connection.helloed && connection.commandQos !== -1 && this.inFlight.length < 2 * this.host.config.outboundMessages
    );
  }

  private writeInTime(connection: Recipient, command: Waiting): void {
    const now = this.host.clock.now();
    if (now > command.deadline) this.host.countDrop('expired');
    else if (command.door && !this.host.mayMoveDoors()) this.host.countDrop('clock');
    else this.write(connection, command, now);
  }

  /** Sends the welcome ahead of the queue and its window, as soon as the device has subscribed. */
  greet(connection: Recipient, greeting: Greeting): void {
    // Each hello is answered, so a device that repeats it without acknowledging could fill the memory and the message
    // ids.
    if (this.bytes + connection.socket.writableLength > this.host.config.outboundBytes) return connection.closeFrozen();
    this.greeting = greeting;
    this.pump(connection);
  }

  private write(connection: Recipient, command: Greeting, now: number): void {
    const json = `${command.open},"now":${now}}`;
    const bytes = command.bytes + json.length - command.open.length;
    if (bytes > linkLimits.payloadBytes) return this.host.countDrop('tooLong');
    let messageId = 0;
    if (connection.commandQos === 1) {
      do {
        messageId = connection.nextMessageId;
        connection.nextMessageId = (messageId % 65_535) + 1;
      } while (this.isInFlight(messageId));
      if (this.inFlight === nothing) this.inFlight = [messageId, command.bytes];
      else this.inFlight.push(messageId, command.bytes);
      this.bytes += command.bytes;
    }
    connection.send(publish(linkTopic.command(connection.id), json, messageId, bytes));
    this.host.countWritten();
  }

  private isInFlight(messageId: number): boolean {
    for (let i = 0; i < this.inFlight.length; i += 2) if (this.inFlight[i] === messageId) return true;
    return false;
  }
}
