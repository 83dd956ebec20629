import type { z } from 'zod';
import type { ErrorKey } from '../errors.ts';
import type { PermissionKey } from '../permissions.ts';

/** `public` needs no session, `session` any live one; everything else is a button key (spec, section 6). */
export type RouteAccess = PermissionKey | 'public' | 'session';

interface RouteBase {
  /** `{name}` marks a path parameter. */
  path: `/api/${string}`;
  /** One sentence for the API portal. */
  summary: string;
  permission: RouteAccess;
  /** Errors of the catalogue that this call may answer beside the common ones of {@link commonErrors}. */
  errors: readonly ErrorKey[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The `data` of the answer, or with `flat` the whole body. */
  response: z.ZodType;
  /** HTTP status of success; the body's `code` is 200 whatever it is. */
  status?: 200 | 201 | 202 | 204;
  /** The token call alone answers without the envelope (requirement AUTH-03). */
  flat?: true;
  /** The answer is no JSON but a file of this media type; with `flat`. */
  file?: string;
  /** Success is an answer 302 that leads the browser on. */
  redirect?: true;
  /** The body may also be a form (spec, section 7); else it is JSON. */
  form?: true;
  /** Of any session, and of a program too: what it gives follows from the rights that the caller has. */
  programs?: true;
  /**
   * Of any session, also of one that has entered a customer's company (CHN-07). It may call what programs may, too.
   */
  visitors?: true;
  /** Its answer shows a secret of the company: not for who only visits it. */
  showsSecret?: true;
  /** Not an activity of a person: polls, streams, refreshes (AUTH-08). */
  passive?: true;
  /** May be called while the session is locked: unlock and logout alone (AUTH-09). */
  whileLocked?: true;
  /** May be called before a one-time password was changed for one's own. */
  beforePasswordChange?: true;
  /** The handler opens its transactions itself, because what it counts must stand when it answers a failure. */
  ownTransaction?: true;
  /**
   * The body is bytes (`application/offset+octet-stream`), which go on to the service as they come: nobody holds them
   * whole.
   */
  bytes?: true;
  /** `stream` answers are server-sent events, written by the gateway itself. */
  stream?: true;
  /** Body limit in bytes; 256 KiB when absent. */
  bodyLimit?: number;
}

/** A read leaves no trace in the operation log; every other call names its audit word. */
export type RouteDefinition = RouteBase &
  (
    | { method: 'GET' | 'HEAD'; audit: 'none' | AuditWord }
    | { method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; audit: AuditWord | 'session' }
  );

/** `noun.verb`, as the operation log shows it. `session` (login, logout, lock) is logged by auth itself. */
export type AuditWord = `${string}.${string}`;

/** Whether it changes nothing. */
export const onlyReads = ({ method }: Pick<RouteDefinition, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

/** Whether its failures have no envelope either; that of a file is told as any other. */
export const failsFlat = ({ flat, file }: RouteDefinition): boolean => flat === true && file === undefined;

/** Whether it can be called by whoever has entered a customer's company and has its right. */
export const visitorMay = (route: RouteDefinition): boolean =>
  route.showsSecret !== true && (route.permission !== 'session' || route.visitors === true || route.programs === true);

/** Declares a call. Server validation, guard, audit, OpenAPI, typed client and isolation tests come from it. */
export function route<const R extends RouteDefinition>(definition: R): R {
  return definition;
}

type Out<S> = S extends z.ZodType ? z.output<S> : undefined;
type In<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler gets: everything validated and coerced. */
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

/** What a caller of the typed client gives. */
export type RouteCall<R extends RouteDefinition> = Field<'params', R['params']> &
  Field<'query', R['query']> &
  Field<'body', R['body']>;

/** What a handler returns and a client receives. */
export type RouteOutput<R extends RouteDefinition> = z.output<R['response']>;
export type RouteReturn<R extends RouteDefinition> = In<R['response']>;

/** Fills `{name}` parts of a path. */
export function fillPath(path: string, params: Record<string, unknown> | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')));
}
