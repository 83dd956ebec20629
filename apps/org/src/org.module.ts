import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { Company } from './company/company.entity.ts';
import { orgConfig } from './config.ts';
import { Migration20261121Org } from './migrations/20261121-org.ts';
import { OrganizationController } from './organization/organization.controller.ts';
import { Organization } from './organization/organization.entity.ts';

@Module({ controllers: [OrganizationController] })
export class OrgModule {}

export const orgService = defineService({
  name: 'org', module: OrgModule, config: orgConfig,
  database: { entities: [Company, Organization], migrations: [Migration20261121Org], untenanted: {} },
});

export { seedCompany, type SeedCompany } from './seed.ts';
export { publishState, republishState } from './state.ts';
