import { Injectable, Optional, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { onlyReads } from '@carillon/contracts';
import { Database, sessionOf, transaction } from '@carillon/persistence';
import { span, SpanKind } from '@carillon/observability';
import { runAs } from '@carillon/tenancy';
import { aboutCaller, emitAudit, withAudit, type AuditNote } from './audit.ts';
import { auditedTransaction, auditRefusal } from './audited.ts';
import { routeOf } from './handle.ts';
import { requestContext } from './request.guard.ts';

/**
 * Runs each request in one transaction, read-only for a read, writes the audit entry in it, and strips the response to
 * its schema.
 */
@Injectable()
export class RequestInterceptor implements NestInterceptor {
  constructor(@Optional() private readonly database?: Database) {}

  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (execution.getType() !== 'http') return next.handle();
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    const route = routeOf(request);
    const context = requestContext.get(request);
    if (!route || !context) return next.handle();
    const handler = `${execution.getClass().name}.${execution.getHandler().name}`;
    const note: AuditNote = {};
    const audited = route.audit !== 'none' && route.audit !== 'session';
    const handle = (): Promise<unknown> => lastValueFrom(next.handle());
    // Reads of API tokens are logged too (AUTH-17), because no user would remember them.
    const isProgram = context.apiToken !== undefined;
    const isProgramRead = !audited && isProgram;
    const read: AuditNote = { ...aboutCaller(context), objectName: `${route.method} ${route.path}` };
    const inTransaction = async (): Promise<unknown> => {
      // A public call finds its company itself (login), so it opens its own transactions.
      if (!this.database || route.permission === 'public') return handle();
      const logged = async (): Promise<unknown> => {
        const result = await handle();
        if (isProgramRead)
          await transaction(this.database!, sessionOf(context), () => emitAudit('api.read', 'success', read));
        return result;
      };
      // The handler notes what the entry of a refusal names.
      if (route.ownTransaction) return withAudit(note, logged);
      if (isProgramRead) return transaction(this.database, sessionOf(context), logged, { reads: onlyReads(route) });
      if (!audited)
        return transaction(this.database, sessionOf(context), handle, { readOnly: onlyReads(route), lazy: true });
      return auditedTransaction(this.database, route.audit, note, handle);
    };
    const run = async (): Promise<unknown> => {
      try {
        const data: unknown = route.response.parse(await inTransaction());
        if (route.status === 204) return undefined;
        return route.flat === true ? data : { code: 200, success: true, msg: '', data };
      } catch (error) {
        if (audited && this.database) await auditRefusal(this.database, route.audit, note, error, isProgram);
        if (isProgramRead && this.database) await auditRefusal(this.database, 'api.read', read, error, true);
        throw error;
      }
    };
    return from(
      runAs(context, () =>
        span(
          handler,
          {
            kind: SpanKind.SERVER,
            traceparent: request.headers['traceparent'] as string | undefined,
            attributes: { 'http.route': route.path, 'http.request.method': route.method },
          },
          run,
        ),
      ),
    );
  }
}
