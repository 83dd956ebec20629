import dns from 'node:dns/promises';
import { errors, Pool } from 'undici';
import type { Place } from '../config.ts';
import { exchange, type Answer, type Call } from './exchange.ts';

/** A process that has not answered for this long gets no calls until it answers again. */
const silentMs = 3_000;
/** Error codes of a connection that was never established, so the process saw nothing of the call. */
const neverSent = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOENT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_CLOSED']);

/** The address of a process: its socket or URL. */
export type Address = Exclude<Place, { every: string }>;

/** One process of a service. */
class Endpoint {
  readonly where: string;
  readonly pool: Pool;
  /** A separate connection, so that health checks do not wait behind calls. */
  readonly probe: Pool;
  state: 'up' | 'down' | 'draining' = 'up';
  answeredAt = performance.now();
  looking = false;
  /** Calls in progress that may be repeated at another process when this one hangs. */
  readonly repeatable = new Set<AbortController>();

  constructor(
    name: string,
    readonly place: Address,
    answerMs: number,
    readonly named = false,
  ) {
    const options = {
      connections: 128,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      connectTimeout: 5_000,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    };
    const [origin, more] =
      'socketPath' in place ? [`http://${name}`, { socketPath: place.socketPath }] : [place.url, {}];
    this.where = 'socketPath' in place ? place.socketPath.split('/').at(-1)! : place.url;
    this.pool = new Pool(origin, { ...options, ...more });
    this.probe = new Pool(origin, {
      connections: 1,
      connectTimeout: 1_500,
      headersTimeout: 1_500,
      bodyTimeout: 1_500,
      ...more,
    });
  }
}

/**
 * A service behind the API gateway with its processes in turn. Dead, hanging and draining processes are left out. A
 * read at a dying process is repeated at the next one; a change is not, because only that process knows whether it was
 * done.
 */
export class Upstream {
  readonly endpoints: Endpoint[];
  /** Names that stand for all of their addresses, because an orchestrator adds and removes processes at run time. */
  private readonly names: readonly URL[];
  private turn = 0;
  private resolving = false;

  constructor(
    private readonly name: string,
    places: readonly Place[],
    private readonly changed: (where: string, state: string) => void,
    /** How long a process may take until its answer begins, and pause in it, ms. */
    private readonly answerMs = 65_000,
  ) {
    this.endpoints = places.flatMap((place) => ('every' in place ? [] : [new Endpoint(name, place, answerMs)]));
    this.names = places.flatMap((place) => ('every' in place ? [new URL(place.every)] : []));
  }

  /** Returns whether there can be more than one process. */
  get chooses(): boolean {
    return this.names.length > 0 || this.endpoints.length > 1;
  }

  async request(options: Call): Promise<Answer> {
    const repeatable = options.method === 'GET' && !options.body;
    const tried = new Set<Endpoint>();
    for (let tries = 1; ; tries++) {
      const endpoint = this.next(tried);
      tried.add(endpoint);
      try {
        return await this.ask(endpoint, options, repeatable);
      } catch (error) {
        const { code = '' } = error as { code?: string };
        if (neverSent.has(code)) this.mark(endpoint, 'down');
        // A kept connection may have just been closed, even by the only process.
        const again =
          error instanceof errors.SocketError ||
          error instanceof Silent ||
          code === 'ECONNRESET' ||
          neverSent.has(code);
        if (!repeatable || !again || options.signal.aborted || tries > this.endpoints.length) throw error;
      }
    }
  }

  /**
   * Calls a process over a connection of the caller's own, apart from the pooled calls. Only for requests that may be
   * repeated.
   */
  async apart<T>(ask: (place: Address) => Promise<T>): Promise<T> {
    const tried = new Set<Endpoint>();
    for (;;) {
      const endpoint = this.next(tried);
      tried.add(endpoint);
      try {
        return await ask(endpoint.place);
      } catch (error) {
        const { code = '' } = error as { code?: string };
        if (neverSent.has(code)) this.mark(endpoint, 'down');
        if (!(neverSent.has(code) || code === 'ECONNRESET') || tried.size >= this.endpoints.length) throw error;
      }
    }
  }

  private async ask(endpoint: Endpoint, options: Call, repeatable: boolean): Promise<Answer> {
    if (!repeatable || !this.chooses) return exchange(endpoint.pool, options);
    const silent = new AbortController();
    endpoint.repeatable.add(silent);
    try {
      return await exchange(endpoint.pool, { ...options, signal: AbortSignal.any([options.signal, silent.signal]) });
    } finally {
      endpoint.repeatable.delete(silent);
    }
  }

  /** Returns the next healthy process that was not tried yet; when none is healthy, any, because it may be back. */
  private next(tried: ReadonlySet<Endpoint>): Endpoint {
    if (!this.chooses) return this.endpoints[0]!;
    // There is no address at the moment, which is reported like a refused connection.
    if (this.endpoints.length === 0)
      throw Object.assign(new Error(`${this.name} has no address`), { code: 'ECONNREFUSED' });
    const fresh = this.endpoints.filter((e) => !tried.has(e));
    const candidates = [
      fresh.filter((e) => e.state === 'up'),
      fresh.filter((e) => e.state === 'draining'),
      fresh,
      this.endpoints,
    ].find((some) => some.length > 0)!;
    return candidates[this.turn++ % candidates.length]!;
  }

  private mark(endpoint: Endpoint, state: Endpoint['state']): void {
    if (!this.chooses || endpoint.state === state) return;
    endpoint.state = state;
    this.changed(endpoint.where, state);
    if (state === 'down') for (const silent of endpoint.repeatable) silent.abort(new Silent());
  }

  /** Resolves the names. On a failure the addresses stay as they were. */
  async resolve(): Promise<void> {
    if (this.names.length === 0 || this.resolving) return;
    this.resolving = true;
    try {
      const found = await Promise.all(
        this.names.map(async ({ protocol, hostname, port }) =>
          (await dns.lookup(hostname, { all: true })).map(
            ({ address, family }) =>
              `${protocol}//${family === 6 ? `[${address}]` : address}${port === '' ? '' : `:${port}`}`,
          ),
        ),
      );
      const urls = new Set(found.flat());
      for (const gone of this.endpoints.filter((e) => e.named && !urls.has(e.where))) {
        this.endpoints.splice(this.endpoints.indexOf(gone), 1);
        // Closes in order: calls in progress are still answered.
        void Promise.all([gone.pool.close(), gone.probe.destroy()]).catch(() => undefined);
        this.changed(gone.where, 'gone');
      }
      for (const url of urls) {
        if (this.endpoints.some((e) => e.where === url)) continue;
        this.endpoints.push(new Endpoint(this.name, { url }, this.answerMs, true));
        this.changed(url, 'new');
      }
    } catch {
      /* names are resolved again at the next look */
    } finally {
      this.resolving = false;
    }
  }

  /** Checks the health of every process. */
  look(): void {
    void this.resolve();
    for (const endpoint of this.endpoints) {
      if (endpoint.looking) continue;
      endpoint.looking = true;
      endpoint.probe
        .request({ path: '/livez', method: 'GET' })
        .then(async ({ statusCode, body }) => {
          const { draining } = (await body.json()) as { draining?: boolean };
          endpoint.answeredAt = performance.now();
          this.mark(endpoint, statusCode !== 200 ? 'down' : draining === true ? 'draining' : 'up');
        })
        .catch((error: { code?: string }) => {
          if (neverSent.has(error.code ?? '') || performance.now() - endpoint.answeredAt > silentMs)
            this.mark(endpoint, 'down');
        })
        .finally(() => {
          endpoint.looking = false;
        });
    }
  }

  /** Returns null when at least one process may take work, else the reason of the last one. */
  async reason(): Promise<string | null> {
    if (this.endpoints.length === 0) return 'has no address';
    const answers = await Promise.all(
      this.endpoints.map((endpoint) => ready(endpoint.probe).catch(() => 'does not answer')),
    );
    return answers.includes(null) ? null : answers.at(-1)!;
  }

  async close(): Promise<void> {
    await Promise.all(this.endpoints.flatMap((endpoint) => [endpoint.pool.destroy(), endpoint.probe.destroy()]));
  }
}

class Silent extends Error {}

async function ready(pool: Pool): Promise<string | null> {
  const { statusCode, body } = await pool.request({
    path: '/readyz',
    method: 'GET',
    headersTimeout: 2_000,
    bodyTimeout: 2_000,
  });
  if (statusCode === 200) return body.dump().then(() => null);
  const answer = (await body.json().catch(() => ({}))) as { checks?: Record<string, string> };
  return (
    Object.entries(answer.checks ?? {})
      .filter(([, state]) => state !== 'ok')
      .map(([check, state]) => `${check}: ${state}`)
      .join('; ') || 'not ready'
  );
}
