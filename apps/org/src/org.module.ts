import { Module } from '@nestjs/common';
import {
  channelAddressExport,
  channelExport,
  companyExport,
  organizationExport,
  orgExports,
  siteExport,
} from '@carillon/contracts';
import { defineService, DeletedRetention, deletedEntity, exportEntities, ExportModule } from '@carillon/service';
import { ChannelAddressController } from './channel-address/channel-address.controller.ts';
import { ChannelAddress } from './channel-address/channel-address.entity.ts';
import { ChannelAddressService } from './channel-address/channel-address.service.ts';
import { ChannelController } from './channel/channel.controller.ts';
import { Channel, ChannelCode } from './channel/channel.entity.ts';
import { ChannelService } from './channel/channel.service.ts';
import { CompanyController } from './company/company.controller.ts';
import { Company } from './company/company.entity.ts';
import { CompanyPublisher } from './company/company.publisher.ts';
import { orgConfig } from './config.ts';
import { Migration20261121Org } from './migrations/20261121-org.ts';
import { Migration20261121bOrganization } from './migrations/20261121b-organization.ts';
import { Migration20261121cSite } from './migrations/20261121c-site.ts';
import { Migration20261121dView } from './migrations/20261121d-view.ts';
import { Migration20261122OrgDeleted } from './migrations/20261122-deleted.ts';
import { Migration20261124cOrgListExport } from './migrations/20261124c-list-export.ts';
import { Migration20261125Channel } from './migrations/20261125-channel.ts';
import { Migration20261128OrgFcsUse } from './migrations/20261128-fcs-use.ts';
import { Migration20261204SiteBandwidth } from './migrations/20261204-site-bandwidth.ts';
import { Migration20261211SiteZone } from './migrations/20261211-site-zone.ts';
import { Migration20261213SiteTold } from './migrations/20261213-site-told.ts';
import { Migration20261219SiteTold } from './migrations/20261219-site-told.ts';
import { Migration20261220SiteTold } from './migrations/20261220-site-told.ts';
import { Migration20261216CompanyTold } from './migrations/20261216-company-told.ts';
import { ContentConsumer } from './organization/content.consumer.ts';
import { DeviceCopy, UserCopy } from './organization/content.entity.ts';
import { OrganizationController } from './organization/organization.controller.ts';
import { Organization } from './organization/organization.entity.ts';
import { OrganizationService } from './organization/organization.service.ts';
import { SiteController } from './site/site.controller.ts';
import { Site, SiteSegment } from './site/site.entity.ts';
import { SiteService } from './site/site.service.ts';
import { ViewController } from './view/view.controller.ts';
import { View } from './view/view.entity.ts';

@Module({
  imports: [
    ExportModule.register(orgExports, [
      { of: companyExport },
      { of: organizationExport },
      { of: siteExport },
      { of: channelAddressExport },
      { of: channelExport },
    ]),
  ],
  controllers: [
    OrganizationController,
    CompanyController,
    ChannelController,
    ChannelAddressController,
    ContentConsumer,
    SiteController,
    ViewController,
  ],
  providers: [
    OrganizationService,
    SiteService,
    ChannelService,
    ChannelAddressService,
    CompanyPublisher,
    DeletedRetention,
  ],
})
export class OrgModule {}

export const orgService = defineService({
  name: 'org',
  module: OrgModule,
  config: orgConfig,
  database: {
    entities: [
      Company,
      Organization,
      UserCopy,
      DeviceCopy,
      Site,
      SiteSegment,
      View,
      ChannelAddress,
      Channel,
      ChannelCode,
      deletedEntity(),
      ...exportEntities,
    ],
    migrations: [
      Migration20261121Org,
      Migration20261121bOrganization,
      Migration20261121cSite,
      Migration20261121dView,
      Migration20261122OrgDeleted,
      Migration20261124cOrgListExport,
      Migration20261125Channel,
      Migration20261128OrgFcsUse,
      Migration20261204SiteBandwidth,
      Migration20261211SiteZone,
      Migration20261213SiteTold,
      Migration20261216CompanyTold,
      Migration20261219SiteTold,
      Migration20261220SiteTold,
    ],
    untenanted: {},
  },
});

export { seedCompany, type SeedCompany } from './seed.ts';
export { publishCompanies, republishState } from './org.publisher.ts';
