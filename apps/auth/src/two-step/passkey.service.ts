import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { CONFIG, Failure } from '@carillon/service';
import type { AuthConfig } from '../config.ts';
import type { PasskeyRow } from './two-step.queries.ts';

export interface Site {
  origin: string;
  rpID: string;
}

/** WebAuthn through its library: creates the requests for a browser and verifies its answers. */
@Injectable()
export class Passkeys {
  constructor(@Inject(CONFIG) private readonly config: AuthConfig) {}

  /**
   * Returns the site of the request when the API gateway served it, else the console's own address. The browser binds a
   * passkey to its host, so a request from another site cannot use it.
   */
  siteOf({ headers }: FastifyRequest): Site {
    const own = new URL(this.config.publicUrl);
    const given = typeof headers.origin === 'string' && URL.canParse(headers.origin) ? new URL(headers.origin) : own;
    const url = given.host === headers['x-forwarded-host'] ? given : own;
    return { origin: url.origin, rpID: url.hostname };
  }

  async begin(
    site: Site,
    user: { id: string; username: string; nickname: string },
    have: readonly PasskeyRow[],
  ): Promise<{ challenge: string; options: Record<string, unknown> }> {
    const options = await generateRegistrationOptions({
      rpName: 'Carillon',
      rpID: site.rpID,
      userName: user.username,
      userDisplayName: user.nickname,
      userID: new TextEncoder().encode(user.id),
      attestationType: 'none',
      excludeCredentials: have.map((k) => ({ id: k.credentialId })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    return { challenge: options.challenge, options: options as unknown as Record<string, unknown> };
  }

  async added(
    site: Site,
    challenge: string,
    response: Record<string, unknown>,
  ): Promise<{ credentialId: string; publicKey: Uint8Array; counter: number; transports: string[] }> {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
    }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
    if (!verified || !registrationInfo) throw new Failure('auth.passkeyWrong');
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, transports: [...(transports ?? [])] };
  }

  async ask(site: Site, have: readonly PasskeyRow[]): Promise<{ challenge: string; options: Record<string, unknown> }> {
    const options = await generateAuthenticationOptions({
      rpID: site.rpID,
      userVerification: 'preferred',
      allowCredentials: have.map((k) => ({ id: k.credentialId, transports: k.transports as AuthenticatorTransport[] })),
    });
    return { challenge: options.challenge, options: options as unknown as Record<string, unknown> };
  }

  /** Returns the passkey that gave a valid answer, with its new counter. */
  async answered(
    site: Site,
    challenge: string,
    response: Record<string, unknown>,
    have: readonly PasskeyRow[],
  ): Promise<{ id: string; counter: number } | undefined> {
    const key = have.find((k) => k.credentialId === response['id']);
    if (!key) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpID,
      requireUserVerification: false,
      // The counter is compared atomically when it is stored.
      credential: { id: key.credentialId, publicKey: new Uint8Array(key.publicKey), counter: 0 },
    }).catch(() => ({ verified: false as const, authenticationInfo: undefined }));
    return verified && authenticationInfo ? { id: key.id, counter: authenticationInfo.newCounter } : undefined;
  }
}
