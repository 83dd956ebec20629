import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

export const sessionEnds = ['logout', 'idle', 'age', 'reuse', 'user', 'lock', 'ended', 'limit'] as const;

/** One login and all tokens derived from it: the family that ends when a refresh token is reused (AUTH-07). */
const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'session',
  indexes: [
    { name: 'session_user', expression: 'create index "session_user" on session (user_id) where (ended_at is null)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    createdAt: instant(3),
    /** As the API gateways reported it, at most a minute late. */
    lastActiveAt: instant(3),
    endedAt: instant(3).strictNullable(),
    endReason: p.enum(sessionEnds).strictNullable(),
    address: p.string().length(64).strictNullable(),
    browser: p.string().length(256).strictNullable(),
    /** Argon2id of the lock password while the session is locked (AUTH-09). */
    lockHash: p.text().strictNullable(),
    lockFailures: p.integer().default(0),
  },
});
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);

const RefreshTokenSchema = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_token',
  indexes: [
    { name: 'refresh_token_session', expression: 'create index refresh_token_session on refresh_token (session_id)' },
    { name: 'refresh_token_hash', expression: 'create unique index refresh_token_hash on refresh_token (hash)' },
    { name: 'refresh_token_expires', expression: 'create index refresh_token_expires on refresh_token (expires_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    sessionId: p.uuid(),
    /** SHA-256 of 32 random bytes, which cannot be guessed, so a fast hash is enough. */
    hash: p.blob().$type<Buffer>(),
    createdAt: instant(3),
    expiresAt: instant(3),
    usedAt: instant(3).strictNullable(),
  },
});
export class RefreshToken extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshToken);
