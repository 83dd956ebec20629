import { Injectable } from '@nestjs/common';
import type { FirmwarePath, makeFirmwareDelta, RouteInput, RouteReturn } from '@carillon/contracts';
import { afterCommit, currentEntities, holdLock, uuidv7 } from '@carillon/persistence';
import { auditNote, fail, unlessTaken } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { firmwareRow } from '../firmware/firmware-list.queries.ts';
import { equal, FirmwareService, nameOf, seeAll } from '../firmware/firmware.service.ts';
import { DeltaOrder } from './delta-order.entity.ts';
import { DeltaRunner } from './delta.runner.ts';

type Ordered = RouteInput<typeof makeFirmwareDelta>['body'];

/** Limit per company, because all companies' packages are made one after the other. */
const mostWaiting = 50;

/** Orders of differential packages, which the platform makes from two firmware versions. */
@Injectable()
export class DeltaService {
  constructor(
    private readonly firmware: FirmwareService,
    private readonly runner: DeltaRunner,
  ) {}

  async order(path: FirmwarePath, { firmwareId, fromId }: Ordered): Promise<RouteReturn<typeof makeFirmwareDelta>> {
    seeAll();
    const firmware = await this.firmware.locked(path, firmwareId);
    const source = await firmwareRow(fromId);
    const from = source.version;
    // The package reveals bytes of its source, and an official package is available to everyone.
    if (path === 'official' && source.path !== 'official') fail('firmware.deltaOwn');
    if (!source.models.some((model) => firmware.models.includes(model))) fail('firmware.deltaModels');
    const orders = await this.firmware.refuseOrdered(firmwareId, from);
    this.firmware.refuseDelta(firmware, from, orders.filter(({ state }) => state !== 'failed').length);
    const failed = orders.find(({ version }) => equal(version, from));
    if (failed) {
      currentEntities().remove(failed);
      await currentEntities().flush();
    }
    const { companyId } = context();
    // Serialized, so that parallel orders are counted.
    await holdLock(`delta order ${companyId}`);
    if ((await currentEntities().count(DeltaOrder, { state: { $ne: 'failed' } })) >= mostWaiting)
      fail('firmware.deltaQueue', { limit: mostWaiting });
    currentEntities().create(DeltaOrder, {
      id: uuidv7(),
      companyId,
      path,
      firmwareId,
      fromId,
      version: from,
      state: 'waiting',
      progress: 0,
      tries: 0,
      error: null,
      values: {},
      leaseUntil: new Date(0).toISOString(),
    });
    await unlessTaken(currentEntities().flush(), 'delta_order_from', 'fromId', 'firmware.deltaTaken');
    auditNote({ objectId: firmwareId, objectName: nameOf(firmware), detail: { before: null, after: { from } } });
    await this.firmware.shown([firmwareId]);
    afterCommit(() => this.runner.wake());
    return this.firmware.get(firmwareId);
  }
}
