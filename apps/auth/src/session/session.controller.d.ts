import type { FastifyReply, FastifyRequest } from 'fastify';
import { logout, logoutWithLogs, type RouteInput } from '@carillon/contracts';
import type { AuthConfig } from '../config.ts';
import { SessionService } from './session.service.ts';
export declare class SessionController {
    private readonly sessions;
    private readonly config;
    constructor(sessions: SessionService, config: AuthConfig);
    logout(_: RouteInput<typeof logout>, request: FastifyRequest, reply: FastifyReply): Promise<null>;
    /** What went wrong in the browser is worth more here than there (AUTH-15): one line of our log each. */
    logoutWithLogs({ body }: RouteInput<typeof logoutWithLogs>, request: FastifyRequest, reply: FastifyReply): Promise<null>;
    private end;
}
