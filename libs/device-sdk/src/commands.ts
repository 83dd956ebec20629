import type { PlatformClock, Clock } from './clock.ts';
import type { CommandStore, Remembered } from './command-store.ts';
import {
  deviceLimits,
  isFinal,
  needsClock,
  restartOf,
  type Answer,
  type Command,
  type RestartReason,
} from './protocol.ts';

/** What an action may do with its device. */
export interface Body {
  /**
   * Resolves when no call is active; meanwhile the platform knows that the command waits for it. Does not resolve when
   * the command expires meanwhile: it is answered, and the action ends there.
   */
  idle(): Promise<void>;
  /**
   * Restarts the device with this reason in its next hello. The action is not resumed; without a result it succeeds.
   */
  restart(boot: RestartReason): void;
  /** Waits, ms of the device's own time. */
  sleep(ms: number): Promise<void>;
}

/** Runs a command; may answer several times, finally with `success` or `fail`. A thrown error is a `fail`. */
export type Action = (
  args: Record<string, unknown>,
  body: Body,
  answer: (answer: Answer) => Promise<void>,
  command: { id: string; action: string; trace?: string },
) => Promise<void>;

/**
 * What a device knows of a command after a crash in the middle of it. `unknown` is answered as such; `notDone` runs now
 * unless it has expired; `done` is answered with success.
 */
export type Recover = (record: Remembered) => 'unknown' | 'notDone' | 'done';

export interface CommandsOwner {
  actions: Record<string, Action>;
  store: CommandStore;
  clock: Clock;
  recover: Recover;
  /** Returns null when no call is active, otherwise a promise of its end. */
  idle(): Promise<void> | null;
  goDown(boot: RestartReason): void;
  /** Sends a result; `told` is called at its PUBACK. */
  result(id: string, answer: Answer, trace: string | undefined, told?: () => void): void;
  trouble(error: Error): void;
}

interface Running {
  record: Remembered;
  last: Answer | null;
  final: boolean;
  cancelGuard: () => void;
}

/** Half of the 30 s within which a command must be answered: an unanswered one is then accepted automatically. */
const acceptAfterMs = deviceLimits.answerWithinMs / 2;

/** A payload is at most 64 KiB, including id, time and trace. */
const mostAnswerBytes = deviceLimits.payloadBytes - 512;

/** The rules of device-link "Down" that do not depend on a connection. One object from start to stop of the device. */
export class Commands {
  private readonly running = new Map<string, Running>();
  private readonly owner: CommandsOwner;
  private changes: Promise<void> = Promise.resolve();
  private over = false;

  constructor(owner: CommandsOwner) {
    this.owner = owner;
  }

  /** Stops running commands where they are. Resolves when the store is up to date. */
  end(): Promise<void> {
    this.over = true;
    for (const running of this.running.values()) running.cancelGuard();
    this.running.clear();
    return this.changes;
  }

  /**
   * Settles what was left before a restart; returns the boot reason of the next hello, and the commands to run again.
   */
  async awake(): Promise<{ boot: RestartReason | null; again: Remembered[] }> {
    let boot: RestartReason | null = null;
    const again: Remembered[] = [];
    for (const record of await this.owner.store.all()) {
      boot = record.boot ?? boot;
      if (!record.answer) {
        const known = this.owner.recover(record);
        if (known === 'notDone') again.push(record);
        else if (known === 'unknown') await this.finish(record, { status: 'fail', code: 'unknown' });
        else {
          // The device fell between the effect and the restart: its next hello names the restart, not the fall.
          boot = restartOf[record.action] ?? boot;
          await this.finish({ ...record, boot: restartOf[record.action] }, { status: 'success' });
        }
      } else if (!record.told) this.report(record);
    }
    for (const record of again) this.admit(record);
    return { boot, again };
  }

  /** Records that the hello after a restart was acknowledged. */
  async booted(): Promise<void> {
    for (const record of await this.owner.store.all())
      if (record.boot) await this.change(record.id, { boot: undefined });
  }

  /** Receives a command. Resolves when it is stored or answered from memory; its action continues on its own. */
  async receive(command: Command, platform: PlatformClock): Promise<void> {
    const known = await this.owner.store.recall(command.id);
    const running = this.running.get(command.id);
    if (running) return this.owner.result(command.id, running.last ?? { status: 'accepted' }, command.trace);
    if (known?.answer) return this.owner.result(command.id, known.answer, command.trace, () => this.told(known));

    const { id, action, args, expiresAt, trace } = command;
    const record: Remembered = { id, action, args, expiresAt, trace };
    if (known) return this.finish(record, { status: 'fail', code: 'unknown' });
    const refusal = this.refusal(record, platform);
    if (refusal) return this.finish(record, refusal);
    const admitted = this.admit(record);
    try {
      await this.owner.store.write(record);
    } catch (error) {
      // It is not stored, so not started: without an acknowledgement the platform sends it again.
      this.running.delete(id);
      throw error;
    }
    this.run(admitted, platform);
  }

  /** Runs stored commands that were not done before a restart; the clock must be known. */
  resume(records: Remembered[], platform: PlatformClock): void {
    for (const record of records) {
      const admitted = this.running.get(record.id);
      if (admitted) this.run(admitted, platform);
    }
  }

  private refusal({ action, expiresAt }: Remembered, platform: PlatformClock): Answer | null {
    if (!Object.hasOwn(this.owner.actions, action)) return { status: 'fail', code: 'unsupported' };
    const now = platform.at(this.owner.clock.monotonic());
    if (now === null) return needsClock.has(action) ? { status: 'fail', code: 'clock' } : null;
    return expiresAt !== undefined && expiresAt <= now ? { status: 'fail', code: 'expired' } : null;
  }

  private admit(record: Remembered): Running {
    const running: Running = { record, last: null, final: false, cancelGuard: () => undefined };
    this.running.set(record.id, running);
    return running;
  }

  private run(running: Running, platform: PlatformClock): void {
    if (this.over) return;
    const { record } = running;
    // Checked again, because storing may have taken too long.
    const refusal = this.refusal(record, platform);
    if (refusal) return void this.answer(running, refusal);
    running.cancelGuard = this.owner.clock.after(acceptAfterMs, () => {
      if (!running.last) void this.answer(running, { status: 'accepted' });
    });
    const body: Body = {
      idle: () => this.idle(running, platform),
      sleep: (ms) =>
        new Promise((resolve) => {
          this.owner.clock.after(ms, resolve);
        }),
      restart: (boot) => void this.restart(running, boot),
    };
    const { id, action, trace } = record;
    void Promise.resolve()
      .then(() =>
        this.owner.actions[action]!(record.args ?? {}, body, (answer) => this.answer(running, answer), {
          id,
          action,
          trace,
        }),
      )
      .then(() =>
        running.final
          ? undefined
          : this.answer(running, { status: 'fail', code: 'error', message: 'The action ended without a result.' }),
      )
      .catch((error: Error) =>
        this.answer(running, { status: 'fail', code: 'error', message: error.message.slice(0, 512) }),
      )
      .catch((error: Error) => this.owner.trouble(error));
  }

  /**
   * Answers with the code `busy` during a call: 'accepted', or 'downloaded' again when it has loaded its file. A command
   * that expires meanwhile is not run.
   */
  private async idle(running: Running, platform: PlatformClock): Promise<void> {
    const call = this.owner.idle();
    if (call === null) return;
    const status = running.last?.status === 'downloaded' ? 'downloaded' : 'accepted';
    await this.answer(running, { status, code: 'busy' });
    await call;
    const refusal = this.refusal(running.record, platform);
    if (!refusal) return;
    await this.answer(running, refusal);
    throw new Error('The command expired during a call.');
  }

  /** Sends nothing after the final answer, nor after the device went down. */
  private async answer(running: Running, answer: Answer): Promise<void> {
    if (this.over || running.final) return;
    if (Buffer.byteLength(JSON.stringify(answer)) > mostAnswerBytes)
      answer = { status: 'fail', code: 'tooLarge', message: 'The result does not fit into a message.' };
    running.last = answer;
    running.cancelGuard();
    if (!isFinal(answer)) return this.owner.result(running.record.id, answer, running.record.trace);
    running.final = true;
    await this.finish(running.record, answer);
    this.running.delete(running.record.id);
  }

  private async restart(running: Running, boot: RestartReason): Promise<void> {
    if (this.over) return;
    const first = !running.final;
    running.final = true;
    running.cancelGuard();
    // An action that restarts before it has a result is done when the device is back: success follows that hello.
    const written = first
      ? this.owner.store.write({ ...settled(running.record), answer: { status: 'success' }, boot })
      : this.change(running.record.id, { boot });
    await written.catch((error: Error) => this.owner.trouble(error));
    this.owner.goDown(boot);
  }

  private async finish(record: Remembered, answer: Answer): Promise<void> {
    const done: Remembered = { ...settled(record), answer, boot: record.boot };
    // A result that cannot be stored is sent all the same, because the platform waits for it.
    await this.owner.store.write(done).catch((error: Error) => this.owner.trouble(error));
    if (!this.over) this.report(done);
  }

  private report(record: Remembered): void {
    this.owner.result(record.id, record.answer!, record.trace, () => this.told(record));
  }

  private told({ id }: Remembered): void {
    this.change(id, { told: true }).catch((error: Error) => this.owner.trouble(error));
  }

  /** Serialized, because two changes of the same record would overwrite each other. */
  private change(id: string, fields: Partial<Remembered>): Promise<void> {
    const done = this.changes.then(async () => {
      const record = await this.owner.store.recall(id);
      if (record) await this.owner.store.write({ ...record, ...fields });
    });
    this.changes = done.catch(() => undefined);
    return done;
  }
}

/** A command with a result no longer needs its arguments. */
const settled = ({ id, action, trace }: Remembered): Remembered => ({ id, action, trace });
