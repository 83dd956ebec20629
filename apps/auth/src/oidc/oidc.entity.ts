import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Links a provider's user to an account. */
const OidcLinkSchema = defineEntity({
  name: 'OidcLink',
  tableName: 'oidc_link',
  ...tenant(),
  properties: { ...tenantProperties, userId: p.uuid(), issuer: p.text(), subject: p.text(), createdAt: instant(3) },
  uniques: [{ name: 'oidc_link_issuer_subject_key', properties: ['issuer', 'subject'] }],
});
export class OidcLink extends OidcLinkSchema.class {}
OidcLinkSchema.setClass(OidcLink);
