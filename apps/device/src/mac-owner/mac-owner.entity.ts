import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * What says that a MAC is somebody's, from the weakest on (docs/adr/0022). That a device has connected is read from the
 * device itself.
 */
export const macRanks = { typed: 1, connection: 2, claim: 3, certificate: 3, order: 4 } as const;
export type MacProof = keyof typeof macRanks;

/**
 * Whose a MAC is: one company in the whole installation. Claims are made and given on inside of `platform()` alone; the
 * policy is there so that nobody reads of another's by mistake.
 */
export const MacOwner = defineEntity({
  name: 'MacOwner',
  tableName: 'mac_owner',
  indexes: [{ name: 'mac_owner_company', expression: 'create index mac_owner_company on mac_owner (company_id)' }],
  properties: {
    mac: p.string().length(12).primary(),
    companyId: p.uuid(),
    proof: p.string().$type<MacProof>().length(16),
    /** Rises whenever the MAC goes to another company. */
    epoch: p.integer(),
    since: instant(),
  },
  ...tenant(),
});

/** A company's order of a MAC that another has, and that does not give way: the super administrator settles it. */
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
  properties: { ...tenantProperties, mac: p.string().length(12), model: p.string().length(64), at: instant() },
  ...tenant(),
});
