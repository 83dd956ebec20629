import { Inject, Injectable } from '@nestjs/common';
import { mostOrders } from '@carillon/contracts/constants';
import type {
  allocateChannelOrders,
  allocateDevices,
  ChannelOrderTarget,
  makeDevicesOfOrders,
  RouteInput,
  takeBackChannelOrders,
} from '@carillon/contracts';
import { currentDatabase, currentSql, holdLock, platform, type RowOf } from '@carillon/persistence';
import { auditNote, CONFIG, emitAudit, emitLive, fail, found } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import type { DeviceConfig } from '../config.ts';
import { publishedAddress } from '../device/connect.ts';
import { serverFor } from '../device/device-facts.ts';
import { chosenIds } from '../device/device-list.queries.ts';
import { hashOf, insertFree, newSecret } from '../device/device.service.ts';
import { holdMacs, passMacs } from '../mac-owner/mac-owner.queries.ts';
import { organizationFor } from '../organization/organization.queries.ts';
import { channelBelow, chosenOrders, companyName, orderLine } from './channel-order.queries.ts';
import { insertOrdersOf } from './channel-order.stock.ts';
import { noteSteps } from './custody.queries.ts';
import { endDevices, forgetDeleted, holdDevices } from './handover.ts';

type Line = RowOf<typeof orderLine>;
const shown = 100;
const namedOf = (lines: readonly { mac: string; model?: string }[]) =>
  lines.slice(0, shown).map(({ mac, model }) => ({ mac, model }));

/** Moves devices down and up the tree of companies, one level at a time (CHN-03, CHN-04). */
@Injectable()
export class ChannelOrderService {
  constructor(@Inject(CONFIG) private readonly config: DeviceConfig) {}

  /**
   * Gives lines to a channel, all or nothing. Fails when a line is assigned already, or in use without a confirmation.
   */
  async allocate({ target, channelId, ...handover }: RouteInput<typeof allocateChannelOrders>['body']) {
    const to = found(await channelBelow(channelId));
    auditNote({ objectId: to.id, objectName: to.name });
    await holdOrders();
    return { allocated: await this.give(await this.hold(target), to, handover) };
  }

  /** Gives devices of the list to a channel. A device without an order line gets one first (DEV-05). */
  async allocateDevices({ target, channelId, inSteps, ...handover }: RouteInput<typeof allocateDevices>['body']) {
    const to = found(await channelBelow(channelId));
    auditNote({ objectId: to.id, objectName: to.name });
    await holdOrders();
    const chosen = await chosenIds(target);
    const step = inSteps ? chosen.slice(0, mostOrders) : chosen;
    const macs = await insertOrdersOf(step);
    const allocated = await this.give(await this.hold({ macs }), to, handover);
    return { allocated, left: chosen.length - step.length };
  }

  private async give(
    lines: readonly Line[],
    to: { id: string; name: string },
    { confirmed, reset }: { confirmed: boolean; reset: boolean },
  ): Promise<number> {
    const assigned = lines.filter((line) => line.status === 'assigned').length;
    if (assigned > 0) fail('channelOrder.assigned', { count: assigned });
    const macs = lines.map((line) => line.mac);
    const devices = await holdDevices(macs);
    const unseen = lines.filter((line) => line.deviceId !== null).length - devices.length;
    if (unseen > 0) fail('channelOrder.deviceUnseen', { count: unseen });
    const used = devices.filter((device) => device.used);
    if (used.length > 0 && !confirmed) fail('channelOrder.inUse', { count: used.length });
    const unable = reset ? used.filter((device) => !device.canReset).length : 0;
    if (unable > 0) fail('channelOrder.cannotReset', { count: unable });
    await forgetDeleted(macs, { reset });
    await endDevices(devices, { reset, step: 'given', company: to.name });
    const { companyId } = context();
    const ids = lines.map((line) => line.id);
    await currentSql().query(
      `
        update channel_order o
        set status = 'assigned', assigned_at = now(), receiver_id = $2, receiver = $3, device_id = null
        where o.id = any ($1::uuid[])
      `,
      [ids, to.id, to.name],
    );
    await platform(currentDatabase(), 'devices of a company go to the one directly below', async () => {
      await passMacs(macs, to.id);
      const from = await companyName(companyId);
      const { rows } = await currentSql().query<{ id: string }>(
        `
          insert into channel_order as n (
            id, company_id, mac, model, order_name, source, from_name, status, in_at, assigned_at, receiver_id,
            receiver, device_id
          )
          select gen_random_uuid(), $2, o.mac, o.model, '', 'company', $3, 'unassigned', now(), null, null, null, null
          from channel_order o
          where o.id = any ($1::uuid[])
          returning n.id
        `,
        [ids, to.id, from],
      );
      await noteSteps(companyId, macs, 'given', to.name);
      await noteSteps(to.id, macs, 'received', from);
      await this.logForOther(to.id, 'channelOrder.received', from, lines);
      await emitLive(
        to.id,
        'channelOrder',
        rows.map((row) => row.id),
        null,
      );
    });
    await this.logOwn(lines);
    return lines.length;
  }

  /** Takes lines back from a direct child that still holds them, and ends what the child made of them. */
  async takeBack({ target }: RouteInput<typeof takeBackChannelOrders>['body']) {
    await holdOrders();
    const lines = await this.hold(target);
    const { companyId } = context();
    const free = lines.filter((line) => line.status !== 'assigned').length;
    if (free > 0) fail('channelOrder.free', { count: free });
    const macs = lines.map((line) => line.mac);
    await platform(currentDatabase(), 'devices come back from the company directly below', async () => {
      await this.checkHolders(lines);
      await forgetDeleted(macs, { reset: true });
      const from = await companyName(companyId);
      await endDevices(await holdDevices(macs), { reset: true, step: 'returned', company: from });
      for (const [childId, given] of Map.groupBy(lines, (line) => line.receiverId!)) {
        const gone = given.map((line) => line.mac);
        const { rows } = await currentSql().query<{ id: string }>(
          `
            delete from channel_order o
            where (o.company_id, o.mac) in (select $2::uuid, m from unnest($1::text[]) m)
            returning o.id
          `,
          [gone, childId],
        );
        await noteSteps(childId, gone, 'returned', from);
        await noteSteps(companyId, gone, 'takenBack', await companyName(childId));
        await this.logForOther(childId, 'channelOrder.returned', from, given);
        await emitLive(
          childId,
          'channelOrder',
          rows.map((row) => row.id),
          null,
        );
      }
      await passMacs(macs, companyId);
    });
    await currentSql().query(
      `
        update channel_order o
        set status = 'unassigned', assigned_at = null, receiver_id = null, receiver = null
        where o.id = any ($1::uuid[])
      `,
      [lines.map((line) => line.id)],
    );
    await this.logOwn(lines);
    return { takenBack: lines.length };
  }

  /** Checks that each line is still with the channel that it was given to, and that this is still a direct child. */
  private async checkHolders(lines: readonly Line[]): Promise<void> {
    const { companyId } = context();
    const macs = lines.map((line) => line.mac);
    const holders = new Map((await holdMacs(macs)).map((owner) => [owner.mac, owner.companyId]));
    const below = new Set(
      (
        await currentSql().query<{ id: string }>(
          'select c.id from channel_copy c join unnest($1::uuid[]) x on x = c.id where c.company_id is not distinct from $2',
          [[...new Set(lines.map((line) => line.receiverId))], companyId],
        )
      ).rows.map((row) => row.id),
    );
    const away = lines.filter((l) => holders.get(l.mac) !== l.receiverId || !below.has(l.receiverId!)).length;
    if (away > 0) fail('channelOrder.passedOn', { count: away });
  }

  /** Makes devices of lines. This response is the only one with their secrets: only the hashes are stored. */
  async makeDevices({ target, name, orgId: asked, siteId, serverId }: RouteInput<typeof makeDevicesOfOrders>['body']) {
    const orgId = await organizationFor(asked);
    if (siteId) found((await currentSql().query('select 1 from site_copy where id = $1', [siteId])).rows[0]);
    await serverFor(serverId);
    await holdOrders();
    const lines = await this.hold(target);
    const { companyId } = context();
    const assigned = lines.filter((line) => line.status === 'assigned').length;
    if (assigned > 0) fail('channelOrder.assigned', { count: assigned });
    const made = lines.filter((line) => line.deviceId !== null).length;
    if (made > 0) fail('channelOrder.hasDevice', { count: made });
    const wanted = lines.map((line, at) => ({
      mac: line.mac,
      name: nameOf(name, line, at + 1),
      model: line.model,
      // The device reports it at its first contact.
      sn: '',
      orgId,
      siteId: siteId ?? null,
      serverId: serverId ?? null,
      secret: newSecret(),
    }));
    await currentSql().query('delete from device_deleted where mac = any ($1::text[])', [lines.map((l) => l.mac)]);
    const rows = await insertFree(
      companyId,
      wanted.map(({ secret, ...device }) => ({ ...device, secretHash: hashOf(secret) })),
    );
    const ids = new Map(rows.map((row) => [row.mac, row.id]));
    auditNote({
      objectName: name,
      orgIds: [orgId],
      detail: { count: rows.length, devices: wanted.slice(0, shown).map((d) => ({ mac: d.mac, name: d.name })) },
    });
    await emitLive(companyId, 'device', [...ids.values()], [orgId]);
    await emitLive(
      companyId,
      'channelOrder',
      lines.map((line) => line.id),
      null,
    );
    return {
      made: rows.length,
      devices: wanted.map((d) => ({ id: ids.get(d.mac)!, mac: d.mac, name: d.name, model: d.model, secret: d.secret })),
      address: publishedAddress(this.config.deviceAddress),
    };
  }

  /** Returns the selected lines with their MACs locked until the transaction ends. */
  private async hold(target: ChannelOrderTarget): Promise<Line[]> {
    const chosen = await chosenOrders(target);
    const macs = chosen.map((line) => line.mac);
    await platform(currentDatabase(), 'who owns a MAC is held while it changes hands', () => holdMacs(macs));
    const lines = await currentSql().rows(
      orderLine,
      `select ${orderLine} from channel_order o where o.id = any ($1::uuid[]) order by o.in_at, o.mac`,
      [chosen.map((line) => line.id)],
    );
    // The parent company has just taken some back.
    return lines.length === chosen.length ? lines : fail('common.notFound');
  }

  private async logOwn(lines: readonly Line[]): Promise<void> {
    auditNote({ detail: { count: lines.length, devices: namedOf(lines) } });
    await emitLive(
      context().companyId,
      'channelOrder',
      lines.map((line) => line.id),
      null,
    );
  }

  /** Writes the other company's log entry, without the user who made the change. */
  private async logForOther(companyId: string, action: string, from: string, lines: readonly Line[]): Promise<void> {
    await runAs(systemContext(companyId), () =>
      emitAudit(action, 'success', { objectName: from, detail: { count: lines.length, devices: namedOf(lines) } }),
    );
  }
}

/** Serializes changes of hands by one company, so that a later one sees the result of the earlier one. */
const holdOrders = () => holdLock(`channel orders ${context().companyId}`);

function nameOf(pattern: string, { mac, model }: Line, n: number): string {
  const upper = mac.toUpperCase();
  const parts: Record<string, string> = { mac: upper, mac4: upper.slice(-4), model, n: String(n) };
  return pattern
    .replaceAll(/\{(mac4|mac|model|n)\}/g, (_, part: string) => parts[part]!)
    .slice(0, 64)
    .trim();
}
