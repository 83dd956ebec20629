import type { ServerResponse } from 'node:http';
import type { LiveKind } from '@carillon/contracts';

/** Limits of `live.v1`: each kind is sent at most twice a second, independently of the others. */
const betweenMs = 500;
const mostIds = 200;
/** A browser that reads nothing for this long is gone. */
const stuckMs = 60_000;

/**
 * One browser's stream. Changes between two messages are merged: at most 200 ids per kind, then 'many'. So a slow
 * reader costs no more memory than a fast one, and can still load everything it missed.
 */
export class LiveStream {
  private readonly pending = new Map<LiveKind, Set<string> | 'many'>();
  private readonly sentAt = new Map<LiveKind, number>();
  private timer: NodeJS.Timeout | undefined;
  private blockedAt: number | undefined;

  constructor(private readonly response: ServerResponse) {
    response.on('drain', () => {
      this.blockedAt = undefined;
      this.flush();
    });
    response.on('close', () => {
      clearTimeout(this.timer);
    });
    // A browser that leaves in the middle of a message is not an error.
    response.on('error', () => {
      response.destroy();
    });
  }

  add(kind: LiveKind, ids: readonly string[] | 'many'): void {
    const before = this.pending.get(kind);
    if (ids === 'many' || before === 'many') this.pending.set(kind, 'many');
    else {
      const all = new Set([...(before ?? []), ...ids]);
      this.pending.set(kind, all.size > mostIds ? 'many' : all);
    }
    this.flush();
  }

  /** Sends a comment line, which keeps proxies from closing the stream. */
  heartbeat(now = Date.now()): void {
    if (this.blockedAt !== undefined && now - this.blockedAt > stuckMs) this.response.destroy();
    else this.write(':\n\n');
  }

  /** Ends the stream because the session has ended; the client must not reconnect. */
  end(): void {
    this.finish('event: session\ndata: {"state":"ended"}\n\n');
  }

  /** Ends the stream because the session is locked; the page shows the lock screen. */
  lock(): void {
    this.finish('event: session\ndata: {"state":"locked"}\n\n');
  }

  /** Ends the stream because this process shuts down; the client reconnects after the given time. */
  leave(retryMs: number): void {
    this.finish(`retry: ${retryMs}\n\n`);
  }

  private finish(lastWords: string): void {
    if (this.response.writableEnded) return;
    this.response.end(lastWords);
    // A client that has stopped reading must not keep the connection.
    const timer = setTimeout(() => {
      this.response.destroy();
    }, 2_000).unref();
    this.response.once('close', () => {
      clearTimeout(timer);
    });
  }

  private flush(): void {
    const now = Date.now();
    let wait = Number.POSITIVE_INFINITY;
    for (const [kind, ids] of this.pending) {
      if (this.blockedAt !== undefined) return;
      const left = (this.sentAt.get(kind) ?? 0) + betweenMs - now;
      if (left > 0) {
        wait = Math.min(wait, left);
        continue;
      }
      this.pending.delete(kind);
      this.sentAt.set(kind, now);
      this.write(`event: changed\ndata: ${JSON.stringify({ kind, ids: ids === 'many' ? ids : [...ids] })}\n\n`);
    }
    clearTimeout(this.timer);
    if (this.pending.size > 0)
      this.timer = setTimeout(() => {
        this.flush();
      }, wait);
  }

  private write(text: string): void {
    if (this.response.writableEnded || this.response.destroyed || this.blockedAt !== undefined) return;
    if (!this.response.write(text)) this.blockedAt = Date.now();
  }
}
