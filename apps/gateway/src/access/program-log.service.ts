import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { audit, type RouteDefinition } from '@carillon/contracts';
import { envelope, toRecord, type Bus } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { BUS, clientAddress, Refusals, type Failure } from '@carillon/service';
import { AccessCopy } from './access.service.ts';
import { apiTokenHash, programName } from './authenticate.ts';

const log = createLogger('gateway');

/**
 * Writes calls with an API token that this gateway refuses to the operation log (AUTH-17). A service writes the calls
 * that reach it.
 */
@Injectable()
export class ProgramLog {
  private readonly refusals = new Refusals();

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly access: AccessCopy,
  ) {}

  /** Publishes the entry without waiting for the bus: the call is refused even if the log cannot be written. */
  refused(route: RouteDefinition, request: FastifyRequest, failure: Failure): void {
    if (route.permission === 'public' || failure.status >= 500) return;
    const hash = apiTokenHash(request.headers);
    const program = hash === undefined ? undefined : this.access.validApiToken(hash);
    if (!program) return;
    const { companyId, userId, orgIds } = program.user;
    const entry = this.refusals.entry({ userId, apiToken: program.token.name }, route, failure);
    if (!entry) return;
    const about = { objectId: null, objectName: null, requestId: request.id, orgIds };
    // A socket that was reset has no address any more.
    const address = clientAddress((request.ip as string | undefined) ?? '') ?? null;
    const data = { ...entry, ...about, userId, username: programName(program), address };
    this.bus
      .publish([toRecord(audit, companyId, data, envelope('entry', { companyId, actor: userId }))])
      .catch((err: unknown) => {
        log.warn({ err, requestId: request.id }, 'a refused call of a program was not logged');
      });
  }
}
