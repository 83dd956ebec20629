import { Migration20261121Device } from './20261121-device.ts';
import { Migration20261121DeviceLinkGateway } from './20261121-link-gateway.ts';
import { Migration20261121DeviceOrganization } from './20261121-organization.ts';
import { Migration20261121bDeviceSite } from './20261121b-site.ts';
import { Migration20261121cDeviceExport } from './20261121c-export.ts';
import { Migration20261122DeviceLog } from './20261122-log.ts';
import { Migration20261122bDeviceDeleted } from './20261122b-deleted.ts';
import { Migration20261122cDeviceLeftSite } from './20261122c-left-site.ts';
import { Migration20261123DeviceEnabled } from './20261123-enabled.ts';
import { Migration20261123bDeviceSample } from './20261123b-sample.ts';
import { Migration20261124DeviceAccount } from './20261124-account.ts';
import { Migration20261124DeviceGroup } from './20261124-device-group.ts';
import { Migration20261124bDeviceModel } from './20261124b-model.ts';
import { Migration20261124DeviceSeen } from './20261124-seen.ts';
import { Migration20261124bDeviceListExport } from './20261124b-list-export.ts';
import { Migration20261121DeviceSearch } from './20261121-search.ts';
import { Migration20261125DeviceImport } from './20261125-import.ts';
import { Migration20261126DeviceTag } from './20261126-tag.ts';
import { Migration20261127DeviceClosedAccount } from './20261127-closed-account.ts';
import { Migration20261127DeviceChannelOrder } from './20261127-channel-order.ts';
import { Migration20261127DeviceServer } from './20261127-server.ts';
import { Migration20261127bDeviceChange } from './20261127b-device-change.ts';
import { Migration20261129DeviceDoor } from './20261129-door.ts';
import { Migration20261206DeviceImportSheet } from './20261206-import-sheet.ts';
import { Migration20261207DeviceSharedIdentity } from './20261207-shared-identity.ts';
import { Migration20261209DeviceNameOrder } from './20261209-name-order.ts';
import { Migration20261211DeviceReset } from './20261211-device-reset.ts';
import { Migration20261212DeviceChannelStatistic } from './20261212-channel-statistic.ts';
import { Migration20261211DeviceModelCapability } from './20261211-model-capability.ts';
import { Migration20261211DeviceHistory } from './20261211-history.ts';
import { Migration20261213DeviceConfigCopy } from './20261213-device-config.ts';
import { Migration20261213DeviceRepublish } from './20261213-republish.ts';
import { Migration20261214DeviceGroupTold } from './20261214-group-told.ts';
import { Migration20261215ConfigDrift } from './20261215-config-drift.ts';
import { Migration20261216DeviceModelTold } from './20261216-model-told.ts';
import { Migration20261217DeviceModelKeys } from './20261217-model-keys.ts';
import { Migration20261214DeviceRepublish } from './20261214-republish.ts';
import { Migration20261219DeviceDelivery } from './20261219-delivery.ts';
import { Migration20261219DeviceOrigin } from './20261219-origin.ts';
import { Migration20261220DeviceDeliveryList } from './20261220-delivery-list.ts';
import { Migration20261221DeviceServerTold } from './20261221-server-told.ts';

export const deviceMigrations = [
  Migration20261121Device,
  Migration20261121DeviceLinkGateway,
  Migration20261121DeviceSearch,
  Migration20261121DeviceOrganization,
  Migration20261121bDeviceSite,
  Migration20261121cDeviceExport,
  Migration20261122DeviceLog,
  Migration20261122bDeviceDeleted,
  Migration20261122cDeviceLeftSite,
  Migration20261123DeviceEnabled,
  Migration20261123bDeviceSample,
  Migration20261124DeviceAccount,
  Migration20261124DeviceGroup,
  Migration20261124DeviceSeen,
  Migration20261124bDeviceModel,
  Migration20261124bDeviceListExport,
  Migration20261125DeviceImport,
  Migration20261126DeviceTag,
  Migration20261127DeviceClosedAccount,
  Migration20261127DeviceChannelOrder,
  Migration20261127DeviceServer,
  Migration20261127bDeviceChange,
  Migration20261129DeviceDoor,
  Migration20261206DeviceImportSheet,
  Migration20261207DeviceSharedIdentity,
  Migration20261209DeviceNameOrder,
  Migration20261211DeviceReset,
  Migration20261212DeviceChannelStatistic,
  Migration20261211DeviceModelCapability,
  Migration20261211DeviceHistory,
  Migration20261213DeviceRepublish,
  Migration20261213DeviceConfigCopy,
  Migration20261214DeviceRepublish,
  Migration20261214DeviceGroupTold,
  Migration20261215ConfigDrift,
  Migration20261216DeviceModelTold,
  Migration20261217DeviceModelKeys,
  Migration20261219DeviceDelivery,
  Migration20261219DeviceOrigin,
  Migration20261220DeviceDeliveryList,
  Migration20261221DeviceServerTold,
];
