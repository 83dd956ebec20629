import dns from 'node:dns/promises';
import { errors, Pool } from 'undici';
import type { Place } from '../config.ts';
import { exchange, type Answer, type Call } from './exchange.ts';

/** A process that has not answered for this long gets no more calls until it does. */
const silentMs = 3_000;
/** Codes of a connection that never came to be: the process saw nothing of the call. */
const neverSent = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOENT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_CLOSED']);

/** A process that can be asked: by its socket or at its address. */
export type Address = Exclude<Place, { every: string }>;

/** One process of a service. */
class Endpoint {
  readonly where: string;
  readonly pool: Pool;
  /** Its own connection, so that asking how it is does not wait behind the calls. */
  readonly probe: Pool;
  state: 'up' | 'down' | 'draining' = 'up';
  answeredAt = performance.now();
  looking = false;
  /** Calls under way that may be asked of another process when this one falls silent. */
  readonly repeatable = new Set<AbortController>();

  constructor(
    name: string,
    readonly place: Address,
    readonly named = false,
  ) {
    const options = {
      connections: 128,
      pipelining: 1,
      keepAliveTimeout: 60_000,
      connectTimeout: 5_000,
      headersTimeout: 65_000,
      bodyTimeout: 65_000,
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
 * A service behind the API gateway: its processes in turn. One that is dead, silent or about to end is left out; a read
 * that meets a dying one is asked of the next (a change is not: whether it was done, only that process could say).
 */
export class Upstream {
  readonly endpoints: Endpoint[];
  /**
   * Names that stand for every address behind them: an orchestrator adds and takes away processes while this one runs.
   */
  private readonly names: readonly URL[];
  private turn = 0;
  private resolving = false;

  constructor(
    private readonly name: string,
    places: readonly Place[],
    private readonly changed: (where: string, state: string) => void,
  ) {
    this.endpoints = places.flatMap((place) => ('every' in place ? [] : [new Endpoint(name, place)]));
    this.names = places.flatMap((place) => ('every' in place ? [new URL(place.every)] : []));
  }

  /** Where there is one process for good there is nothing to choose. */
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
        // A kept connection may have been closed just now, also by the only process there is.
        const again =
          error instanceof errors.SocketError ||
          error instanceof Silent ||
          code === 'ECONNRESET' ||
          neverSent.has(code);
        if (!repeatable || !again || options.signal.aborted || tries > this.endpoints.length) throw error;
      }
    }
  }

  /** A process to ask over a connection of the caller's own, beside those of the calls. Only what may be repeated. */
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

  /** The next one in turn that is well and was not asked yet; when none is well, any: it may be back. */
  private next(tried: ReadonlySet<Endpoint>): Endpoint {
    if (!this.chooses) return this.endpoints[0]!;
    // None of them has an address now: as if nobody listened.
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

  /** Asks the names for their addresses. What they cannot tell now stays as it was. */
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
        // It ends in order: what it was asked it still answers.
        void Promise.all([gone.pool.close(), gone.probe.destroy()]).catch(() => undefined);
        this.changed(gone.where, 'gone');
      }
      for (const url of urls) {
        if (this.endpoints.some((e) => e.where === url)) continue;
        this.endpoints.push(new Endpoint(this.name, { url }, true));
        this.changed(url, 'new');
      }
    } catch {
      /* the names are asked again in a moment */
    } finally {
      this.resolving = false;
    }
  }

  /** Asks every process whether it lives. */
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

  /** Null when at least one process may take work, else what the last one says. */
  async reason(): Promise<string | null> {
    if (this.endpoints.length === 0) return 'has no address';
    const told = await Promise.all(
      this.endpoints.map((endpoint) => ready(endpoint.probe).catch(() => 'does not answer')),
    );
    return told.includes(null) ? null : told.at(-1)!;
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
  const told = (await body.json().catch(() => ({}))) as { checks?: Record<string, string> };
  return (
    Object.entries(told.checks ?? {})
      .filter(([, state]) => state !== 'ok')
      .map(([check, state]) => `${check}: ${state}`)
      .join('; ') || 'not ready'
  );
}
