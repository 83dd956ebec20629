import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * Proofs of ownership of a MAC, from the weakest to the strongest (docs/adr/0022). The device itself tells whether it
 * has ever connected.
 */
export const macRanks = { typed: 1, connection: 2, claim: 3, certificate: 3, order: 4 } as const;
export type MacProof = keyof typeof macRanks;
/** What a company shows for a MAC that another one has. */
export type DisputeProof = Extract<MacProof, 'order' | 'claim'>;

/**
 * The owner of a MAC, one company in the whole installation. Written only inside of `platform()`; the policy prevents
 * accidental reads of other companies' rows.
 */
export const MacOwner = defineEntity({
  name: 'MacOwner',
  tableName: 'mac_owner',
  indexes: [{ name: 'mac_owner_company', expression: 'create index mac_owner_company on mac_owner (company_id)' }],
  properties: {
    mac: p.string().length(12).primary(),
    companyId: p.uuid(),
    proof: p.string().$type<MacProof>().length(16),
    /** Rises whenever the MAC moves to another company. */
    epoch: p.integer(),
    since: instant(),
  },
  ...tenant(),
});

/**
 * A company's order or claim for a MAC that another company has and does not have to give up, until the super
 * administrator decides.
 */
export const MacDispute = defineEntity({
  name: 'MacDispute',
  tableName: 'mac_dispute',
  indexes: [
    {
      name: 'mac_dispute_once',
      expression: 'create unique index mac_dispute_once on mac_dispute (company_id, mac)',
    },
    { name: 'mac_dispute_mac', expression: 'create index mac_dispute_mac on mac_dispute (mac)' },
  ],
  properties: {
    ...tenantProperties,
    mac: p.string().length(12),
    model: p.string().length(64),
    proof: p.string().$type<DisputeProof>().length(16).default('order'),
    at: instant(),
  },
  ...tenant(),
});
