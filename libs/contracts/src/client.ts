import { fillPath, type RouteCall, type RouteDefinition, type RouteOutput } from './define/route.ts';

/** The response of every call but the token call. */
export interface Answer<T> {
  code: number;
  success: boolean;
  msg: string;
  data: T;
  error?: string;
  requestId?: string;
}

/** A failure that the server reported. `fields` are the invalid fields of a 400. */
export class CallError extends Error {
  readonly code: number;
  readonly error: string | undefined;
  readonly requestId: string | undefined;
  readonly fields: { path: string; error: string; msg: string }[];

  constructor(
    code: number,
    message: string,
    error: string | undefined,
    requestId: string | undefined,
    fields: { path: string; error: string; msg: string }[] = [],
  ) {
    super(message);
    this.name = 'CallError';
    this.code = code;
    this.error = error;
    this.requestId = requestId;
    this.fields = fields;
  }
}

export interface ClientOptions {
  baseUrl: string;
  /** Headers of every call, read again for each one. Headers of a single call are in its {@link CallInit}. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  fetch?: typeof fetch;
  /** Called before a CallError is thrown, for example to log out on 401. */
  onError?: (error: CallError) => void;
}

export interface CallInit {
  signal?: AbortSignal;
  /** The request continues even when its page is closed; browsers allow it for small bodies. */
  keepalive?: boolean;
  /** Do not call `onError` on a failure. */
  quiet?: boolean;
  /** Headers of this call only. */
  headers?: Record<string, string>;
}

/** Builds a query string. Array values become repeated keys (SYS-06); undefined values are left out. */
export function toQuery(query: Record<string, unknown> | undefined): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') search.append(key, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Creates the typed client: `call(listDevices, { query: { page: 1 } })`. It throws {@link CallError}. */
export function createClient(options: ClientOptions) {
  return async function call<R extends RouteDefinition>(
    route: R,
    ...[input, init]: Record<string, never> extends RouteCall<R>
      ? [RouteCall<R>?, CallInit?]
      : [RouteCall<R>, CallInit?]
  ): Promise<RouteOutput<R>> {
    const given = (input ?? {}) as {
      params?: Record<string, unknown>;
      query?: Record<string, unknown>;
      body?: unknown;
    };
    const hasBody = given.body !== undefined;
    const response = await (options.fetch ?? fetch)(
      options.baseUrl + fillPath(route.path, given.params) + toQuery(given.query),
      {
        method: route.method,
        headers: {
          ...(await options.headers?.()),
          ...init?.headers,
          ...(hasBody ? { 'content-type': 'application/json' } : {}),
        },
        ...(hasBody ? { body: JSON.stringify(given.body) } : {}),
        credentials: 'include',
        ...(init?.signal ? { signal: init.signal } : {}),
        ...(init?.keepalive ? { keepalive: true } : {}),
      },
    );
    const text = await response.text();
    let body: Record<string, unknown> = {};
    try {
      body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    } catch {
      /* A proxy's error page, not JSON: the status is enough. */
    }
    const code = typeof body['code'] === 'number' ? body['code'] : response.status;
    if (code === 200 || (route.flat === true && response.ok))
      return (route.flat === true ? body : body['data']) as RouteOutput<R>;
    const data = body['data'] as { fields?: { path: string; error: string; msg: string }[] } | null | undefined;
    const error = new CallError(
      code,
      String(body['msg'] ?? body['error_description'] ?? ''),
      body['error'] as string | undefined,
      body['requestId'] as string | undefined,
      data?.fields,
    );
    options.onError?.(error);
    throw error;
  };
}
export type Client = ReturnType<typeof createClient>;
