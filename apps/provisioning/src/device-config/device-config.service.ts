import { Inject, Injectable } from '@nestjs/common';
import type { getDeviceConfig, getDeviceConfigAddress, listConfigRequests, RouteReturn } from '@carillon/contracts';
import { auditNote, CONFIG, found } from '@carillon/service';
import { requestsOf } from '../config-request/config-request.log.ts';
import type { ProvisioningConfig } from '../config.ts';
import { PhoneOrigin } from '../phone-port/phone-origin.ts';
import { layoutOf } from '../device-model/key-layout.ts';
import { leftOutBy } from '../vendor/vendor.ts';
import { vendorOf } from '../vendor/vendor-of.ts';
import { addressFolder, addressKey, addressToken } from './config-address.ts';
import { assignedLines, configuredDevices, layersOf, type ConfiguredDevice } from './device-config.queries.ts';
import { desiredKeys, emptiedLines } from './desired.ts';
import { effectiveValues, fitsLayout, valuesOf, type Layer } from './effective.ts';

const named = ({ id, name, level, targetName = null }: Layer) => ({ id, name, level, targetName });

/** Shows what devices are to have, and where they load it (CFG-01, EDGE-01). */
@Injectable()
export class DeviceConfigService {
  private readonly addresses: Buffer;

  constructor(
    private readonly origin: PhoneOrigin,
    @Inject(CONFIG) { dataKey }: ProvisioningConfig,
  ) {
    this.addresses = addressKey(dataKey);
  }

  async get(id: string): Promise<RouteReturn<typeof getDeviceConfig>> {
    const one = await this.seen(id);
    const vendor = vendorOf(one);
    const effective = effectiveValues((await layersOf([one])).for(one), one, vendor?.maker);
    const lines = await assignedLines([id]);
    const layout = layoutOf(one);
    const values = valuesOf(effective.filter((value) => fitsLayout(layout, value)));
    return {
      version: one.version,
      changedAt: one.changedAt,
      values: effective.map(({ key, value, layer, overridden }) => ({
        key,
        value,
        template: named(layer),
        lock: layer.company !== undefined ? 'company' : layer.locked.includes(key) ? 'template' : null,
        overridden: overridden.map((other) => ({ value: other.value, template: named(other.layer) })),
      })),
      lines: lines.map(({ line, id: accountId, name, number, serverName }) => ({
        line,
        account: { id: accountId, name, number },
        server: serverName,
      })),
      emptied: emptiedLines(one.lines, lines),
      beyondModel: effective.filter((value) => !fitsLayout(layout, value)).map(({ key }) => key),
      withoutName: vendor ? leftOutBy(vendor, values, desiredKeys(values, layout)) : null,
      linesWithoutName: lines.map(({ line }) => line).filter((line) => line > (vendor?.mostLines ?? Infinity)),
      loadedAt: one.loadedAt,
      loadedVersion: one.loadedVersion,
    };
  }

  async address(id: string): Promise<RouteReturn<typeof getDeviceConfigAddress>> {
    const one = await this.seen(id);
    auditNote({ objectId: id, objectName: one.name });
    const folder = addressFolder(addressToken(this.addresses, one));
    const vendor = vendorOf(one);
    return {
      origin: this.origin.get(),
      folder,
      file: vendor ? folder + vendor.fileOf(one.mac) : null,
    };
  }

  async asked(id: string): Promise<RouteReturn<typeof listConfigRequests>> {
    await this.seen(id);
    return requestsOf(id);
  }

  /** Fails when the user does not see the device; another company's device is treated as not found. */
  private async seen(id: string): Promise<ConfiguredDevice> {
    return found((await configuredDevices('d.id = $1', [id]))[0]);
  }
}
