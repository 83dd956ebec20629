import type { FastifyReply, FastifyRequest } from 'fastify';
import { token, type RouteInput } from '@carillon/contracts';
import type { AuthConfig } from '../config.ts';
import { LoginService, type TokenAnswer } from './login.service.ts';
export declare class LoginController {
    private readonly logins;
    private readonly config;
    constructor(logins: LoginService, config: AuthConfig);
    token({ query, body }: RouteInput<typeof token>, request: FastifyRequest, reply: FastifyReply): Promise<TokenAnswer>;
    /** Off: no name needs one, since the check itself is not there to be answered. */
    showCaptcha(): boolean;
    /** The client's name and secret are public (every browser has them): they identify, they do not protect. */
    private checkClient;
}
/** As the API gateway told it: it alone is reached from outside. */
export declare const secure: (request: FastifyRequest) => boolean;
/** `Path=/` and no Domain, as `__Host-` demands. A life of 0 takes the cookie away. */
export declare function cookie(name: string, value: string, seconds: number, encrypted: boolean): string;
