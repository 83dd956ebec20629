import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A developer's token (AUTH-17). */
const ApiTokenSchema = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    name: p.string().length(64),
    scopes: p.array(),
    /** SHA-256 of 32 random bytes, which cannot be guessed, so a fast hash is enough. */
    hash: p.blob().$type<Buffer>().unique('api_token_hash_key'),
    createdAt: instant(3),
    expiresAt: instant(3),
    revokedAt: instant(3).strictNullable(),
  },
});
export class ApiToken extends ApiTokenSchema.class {}
ApiTokenSchema.setClass(ApiToken);
