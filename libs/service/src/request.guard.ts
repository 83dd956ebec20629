import { Inject, Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { neverProgram, toLanguage, visitorMay, type PermissionKey, type RouteDefinition } from '@carillon/contracts';
import { contextHeader, runAs, verifyContext, type Context } from '@carillon/tenancy';
import { Database, sessionOf, transaction } from '@carillon/persistence';
import { aboutCaller, emitAudit, type AuditNote } from './audit.ts';
import { Failure } from './failure.ts';
import { languageHeader, requestIdHeader } from './error.filter.ts';
import { Refusals } from './refusals.ts';
import { routeMetadata, setHandled } from './handle.ts';
import { CONTEXT_KEY } from './runtime.module.ts';
import { validate } from './validate.ts';

export const requestContext = new WeakMap<FastifyRequest, Context>();

/** Returns the context of a public call: no company, no permissions. */
function anonymous(request: FastifyRequest): Context {
  return {
    userId: null,
    username: '',
    companyId: '00000000-0000-0000-0000-000000000000',
    orgIds: [],
    orgId: null,
    permissions: [],
    language: toLanguage((request.headers[languageHeader] as string | undefined) ?? request.headers['accept-language']),
    timezoneId: 1,
    sessionId: null,
    address: (request.headers['carillon-address'] as string | undefined) ?? null,
    requestId: (request.headers[requestIdHeader] as string | undefined) ?? null,
  };
}

function isPermitted(route: RouteDefinition, context: Context): boolean {
  const { permission } = route;
  if (permission === 'public') return true;
  if (context.visit && !visitorMay(route)) return false;
  if (context.apiToken !== undefined && neverProgram.includes(permission as PermissionKey)) return false;
  return permission === 'session' || context.permissions.includes(permission);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Returns the id in the path as the object of an entry. The path is not validated yet. */
function idOf(request: FastifyRequest): AuditNote {
  const { id } = request.params as { id?: string };
  return id !== undefined && uuid.test(id) ? { objectId: id } : {};
}

/**
 * Checks identity, permission and input, in this order, so that a stranger learns nothing about the fields. A service
 * trusts only the API gateway's signature: a call that bypasses it has no context.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  private readonly refusals = new Refusals();

  constructor(
    private readonly reflector: Reflector,
    @Inject(CONTEXT_KEY) private readonly key: Buffer,
    @Optional() private readonly database?: Database,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    if (execution.getType() !== 'http') return true;
    const route = this.reflector.get<RouteDefinition | undefined>(routeMetadata, execution.getHandler());
    if (!route) return true;
    const request = execution.switchToHttp().getRequest<FastifyRequest>();
    setHandled(request, route, undefined);
    const signed = verifyContext(request.headers[contextHeader] as string | undefined, this.key);
    if (!signed && route.permission !== 'public') throw new Failure('common.tokenInvalid');
    const context = signed ?? anonymous(request);
    if (!isPermitted(route, context)) {
      const failure = new Failure('common.forbidden', { permission: route.permission });
      await this.note(route, context, failure, route.showsSecret ? idOf(request) : {});
      throw failure;
    }
    setHandled(request, route, await this.inputOf(route, context, request));
    requestContext.set(request, context);
    return true;
  }

  /** Validates the input. An invalid call of an API token is logged, because no user saw its answer (AUTH-17). */
  private async inputOf(route: RouteDefinition, context: Context, request: FastifyRequest): Promise<unknown> {
    try {
      return validate(route, request);
    } catch (error) {
      if (context.apiToken !== undefined && error instanceof Failure) await this.note(route, context, error, {});
      throw error;
    }
  }

  /**
   * Logs attempts without permission in the operation log, also reads (SYS-04), once a minute per call. If the log
   * cannot be written, the call is still refused.
   */
  private async note(route: RouteDefinition, context: Context, failure: Failure, named: AuditNote): Promise<void> {
    if (!this.database) return;
    const refused = this.refusals.entry(context, route, failure);
    if (!refused) return;
    const { action, result, detail } = refused;
    const entry = () => emitAudit(action, result, { ...aboutCaller(context), ...named, detail });
    await runAs(context, () => transaction(this.database!, sessionOf(context), entry)).catch(() => undefined);
  }
}
