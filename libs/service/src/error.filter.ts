import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failsFlat, mayBeTooWide, toLanguage, type Language, type RouteDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import { isTimeout, isTransient } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { Failure } from './failure.ts';
import { routeOf } from './handle.ts';

const log = createLogger('service');

/** Header names (SYS-06), as requirement AUTH-04 defines them. */
export const languageHeader = 'carillon-language';
export const requestIdHeader = 'carillon-request-id';

/** Returns the body of a failure; `flat` is the form of the token call (AUTH-03). */
export function toAnswer(
  failure: Failure,
  language: Language,
  requestId: string | null,
  flat = false,
): Record<string, unknown> {
  const msg = errorText(failure.key, language, failure.values);
  if (flat)
    return { error: failure.key, error_description: msg, code: failure.status, msg, requestId, ...failure.data };
  return {
    code: failure.status,
    success: false,
    msg,
    error: failure.key,
    requestId,
    data:
      failure.fields.length > 0
        ? {
            fields: failure.fields.map((f) => ({
              path: f.path,
              error: f.error,
              msg: errorText(f.error, language, f.values),
            })),
          }
        : (failure.data ?? null),
  };
}

const byStatus: Record<number, ErrorKey> = {
  400: 'common.malformed',
  404: 'common.routeUnknown',
  405: 'common.methodNotAllowed',
  413: 'common.tooLarge',
  415: 'common.mediaType',
  431: 'common.headersTooLarge',
  503: 'common.unavailable',
};

/**
 * Converts an unknown error of a request: an unavailable PostgreSQL or bus is 503, a write to a row that the policies
 * hide is 404, and a search that takes too long is 400.
 */
export function fromUnknown(error: unknown, route?: RouteDefinition): Failure {
  if (error instanceof Failure) return error;
  const code = (error as { code?: unknown })?.code;
  if (error instanceof HttpException)
    return new Failure(byStatus[error.getStatus()] ?? 'common.unknown', { limit: 0, method: '' });
  const status = (error as { statusCode?: unknown })?.statusCode;
  if (typeof status === 'number' && status < 500 && byStatus[status])
    return new Failure(byStatus[status], { limit: 262_144 });
  if (code === '42501') return new Failure('common.notFound');
  if (route && mayBeTooWide(route) && isTimeout(error)) return new Failure('common.tooWide');
  if (isTransient(error)) return new Failure('common.unavailable');
  return new Failure('common.unknown');
}

/**
 * Converts errors to responses, at the only place that does. Unexpected errors are logged in full, and answered as 500
 * with only the request's id.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    // An unreadable body fails before the guard has set the route.
    const route = routeOf(request) ?? allRoutes.find((r) => r.route.path === request.routeOptions.url)?.route;
    const failure = fromUnknown(error, route);
    if (failure.status >= 500)
      // The route of the contract instead of the path: a link's path is a secret.
      log.error({ err: error, requestId: request.id, url: request.routeOptions.url }, 'request failed');
    if (reply.sent) return;
    const flat = route !== undefined && failsFlat(route);
    if (failure.key === 'common.unavailable') void reply.header('retry-after', '2');
    if (failure.status === 429) void reply.header('retry-after', String(failure.values['seconds'] ?? 1));
    void reply
      .status(failure.status)
      .send(
        toAnswer(
          failure,
          toLanguage((request.headers[languageHeader] as string | undefined) ?? request.headers['accept-language']),
          request.id,
          flat,
        ),
      );
  }
}
