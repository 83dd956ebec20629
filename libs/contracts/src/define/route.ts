import type { z } from 'zod';
import type { ErrorKey } from '../errors.ts';
import type { PermissionKey } from '../permissions.ts';

/** `public` needs no session, `session` any valid one; everything else is a button key (ROLE-03). */
export type RouteAccess = PermissionKey | 'public' | 'session';

interface RouteBase {
  /** `{name}` marks a path parameter. */
  path: `/api/${string}`;
  /** One sentence for the API portal. */
  summary: string;
  permission: RouteAccess;
  /** Errors of the catalogue that this call may answer besides {@link commonErrors}. */
  errors: readonly ErrorKey[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The `data` of the response, or with `flat` the whole body. */
  response: z.ZodType;
  /** HTTP status of success; the body's `code` is always 200. */
  status?: 200 | 201 | 202 | 204;
  /** Only the token call answers without the envelope (requirement AUTH-03). */
  flat?: true;
  /** The response is a file of this media type instead of JSON; used with `flat`. */
  file?: string;
  /** Success is a 302 redirect for the browser. */
  redirect?: true;
  /** The body may also be a form (SYS-06); else it is JSON. */
  form?: true;
  /** API tokens may also call this `session` route: its response depends on the permissions of the caller. */
  programs?: true;
  /**
   * Sessions that have entered a customer's company may call this `session` route (CHN-07). They may also call routes
   * with `programs`.
   */
  visitors?: true;
  /** The response contains a secret of the company, or lets a device read one: closed to visitors. */
  showsSecret?: true;
  /** Does not count as user activity: polls, streams, refreshes (AUTH-08). */
  passive?: true;
  /** Allowed while the session is locked: only unlock and logout (AUTH-09). */
  whileLocked?: true;
  /** Allowed before the user has changed a one-time password. */
  beforePasswordChange?: true;
  /** The handler opens its own transactions, because its counters must persist when it answers an error. */
  ownTransaction?: true;
  /**
   * The body is bytes (`application/offset+octet-stream`) that are streamed to the service; no process buffers all of
   * them.
   */
  bytes?: true;
  /** `stream` responses are server-sent events, written by the gateway itself. */
  stream?: true;
  /** Body limit in bytes; 256 KiB when absent. */
  bodyLimit?: number;
}

/** A read is not in the operation log; every other call names its audit word. */
export type RouteDefinition = RouteBase &
  (
    | { method: 'GET' | 'HEAD'; audit: 'none' | AuditWord }
    | { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; audit: AuditWord | 'session' }
  );

/** `noun.verb`, as the operation log shows it. `session` (login, logout, lock) is logged by auth itself. */
export type AuditWord = `${string}.${string}`;

/** Returns whether the route changes nothing. */
export const onlyReads = ({ method }: Pick<RouteDefinition, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

/** Returns whether a call may search so much that its statement is ended, which is then the caller's fault. */
export const mayBeTooWide = (route: Pick<RouteDefinition, 'method' | 'query'>): boolean =>
  onlyReads(route) && route.query !== undefined;

/** Returns whether failures also have no envelope; failures of a file route do have one. */
export const failsFlat = ({ flat, file }: RouteDefinition): boolean => flat === true && file === undefined;

/** Returns whether a visitor of a customer's company with the permission may call the route. */
export const visitorMay = (route: RouteDefinition): boolean =>
  route.showsSecret !== true && (route.permission !== 'session' || route.visitors === true || route.programs === true);

/** Declares a call. Server validation, guard, audit, OpenAPI, typed client and isolation tests are derived from it. */
export function route<const R extends RouteDefinition>(definition: R): R {
  return definition;
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;

/** Input of a handler, validated and coerced. */
export interface RouteInput<R extends RouteDefinition> {
  params: Out<R['params']>;
  query: Out<R['query']>;
  body: Out<R['body']>;
}

type Field<K extends string, S> = S extends z.ZodType
  ? Record<string, never> extends z.input<S>
    ? { [P in K]?: z.input<S> }
    : { [P in K]: z.input<S> }
  : unknown;

/** Arguments of a call of the typed client. */
export type RouteCall<R extends RouteDefinition> = Field<'params', R['params']> &
  Field<'query', R['query']> &
  Field<'body', R['body']>;

/** Result of a handler, as a client receives it. */
export type RouteOutput<R extends RouteDefinition> = z.output<R['response']>;
export type RouteReturn<R extends RouteDefinition> = In<R['response']>;

/** Fills the `{name}` parts of a path. */
export function fillPath(path: string, params: Record<string, unknown> | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')));
}
