import { createHash, randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  channelFlags,
  type bindChannel,
  type editChannel,
  type getChannelRoom,
  type offerChannel,
  type RouteInput,
  type RouteReturn,
  type setChannelStatus,
} from '@carillon/contracts';
import { columns, currentDatabase, currentEntities, currentSql, platform, uuidv7 } from '@carillon/persistence';
import {
  auditNote,
  CACHE,
  countingTaken,
  emitAudit,
  emitLive,
  fail,
  failAt,
  found,
  unlessTaken,
  type Cache,
} from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import { ChannelAddress } from '../channel-address/channel-address.entity.ts';
import { checkAddress } from '../channel-address/channel-address.service.ts';
import { ChannelCode } from './channel.entity.ts';
import {
  channelById,
  companyById,
  lockChannelTree,
  move,
  setState,
  recountLimits,
  revokeFeatures,
  type ChannelRecord,
  type CompanyRow,
} from './channel.queries.ts';
import { publishChannels } from './channel.publisher.ts';

/** Without letters that are easily confused. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeHours = 24;
const hashOf = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
    .digest();
const coded = columns(ChannelCode, 'c', ['companyId']);
const nothing = { createSubLimit: 0, fcsLimit: 0 };
const none = { licenseGranting: false, fcsEnabled: false, localSync: false };

/** Returns what a channel's own log records of a change by its parent: without its address and the parent's remarks. */
const forItself = ({ name, type, status, createSubLimit, fcsLimit, ...c }: ChannelRecord) => ({
  name,
  type,
  status,
  createSubLimit,
  fcsLimit,
  licenseGranting: c.licenseGranting,
  fcsEnabled: c.fcsEnabled,
  localSync: c.localSync,
  fcsUrl: c.fcsUrl,
  fcsDomain: c.fcsDomain,
});
const noteOf = (c: ChannelRecord) => ({ ...forItself(c), remarks: c.remarks, address: c.address.join(' / ') });

/** Manages the direct child companies of the own one (CHN-01, CHN-02). */
@Injectable()
export class ChannelService {
  constructor(@Inject(CACHE) private readonly cache: Cache) {}

  async get(id: string): Promise<ChannelRecord> {
    return found(await channelById(id));
  }

  async room(): Promise<RouteReturn<typeof getChannelRoom>> {
    const own = found(await companyById(context().companyId));
    return {
      createSubLimit: own.createSubLimit,
      subsLeft: Math.max(0, own.createSubLimit - own.subGiven),
      fcsLimit: own.fcsLimit,
      fcsLeft: Math.max(0, own.fcsLimit - own.fcsGiven - own.fcsUsed),
      licenseGranting: own.licenseGranting,
      fcsEnabled: own.fcsEnabled,
      localSync: own.localSync,
      top: own.parentId === null,
      addresses: (await currentEntities().count(ChannelAddress, {})) > 0,
    };
  }

  async edit({ id, ...body }: RouteInput<typeof editChannel>['body']): Promise<ChannelRecord> {
    const { companyId } = context();
    const before = await this.get(id);
    auditNote({ objectId: id, objectName: before.name });
    if (body.addressId !== before.addressId || body.addressId === null) await checkAddress(body.addressId);
    await platform(currentDatabase(), 'who is directly above edits a channel', async () => {
      await lockChannelTree();
      const own = found(await companyById(companyId));
      for (const flag of channelFlags) if (body[flag] && !own[flag]) failAt(flag, 'channel.flagNotHeld');
      await unlessTaken(
        currentSql().query(
          `
            update company
            set name = $2, type = $3, remarks = $4, create_sub_limit = $5, fcs_limit = $6, license_granting = $7,
              fcs_enabled = $8, local_sync = $9, fcs_url = $10, fcs_domain = $11
            where id = $1
          `,
          [
            id,
            body.name,
            body.type,
            body.remarks,
            body.createSubLimit,
            body.fcsLimit,
            body.licenseGranting,
            body.fcsEnabled,
            body.localSync,
            body.fcsUrl,
            body.fcsDomain,
          ],
        ),
        'company_name',
        'name',
        'org.companyNameTaken',
      );
      await recountLimits(companyId, [companyId, id], body);
      const lost = await revokeFeatures(`${own.path}${id}/`, body);
      await currentSql().query('update channel set address_id = $2 where id = $1', [id, body.addressId]);
      await publishChannels([companyId, id, ...lost]);
    });
    return this.done('channel.edit', before);
  }

  async setStatus({ id, status }: RouteInput<typeof setChannelStatus>['body']): Promise<ChannelRecord> {
    const { companyId } = context();
    const before = await this.get(id);
    auditNote({ objectId: id, objectName: before.name });
    await platform(currentDatabase(), 'who is directly above closes or opens a channel', async () => {
      await lockChannelTree();
      const [own, channel] = [found(await companyById(companyId)), found(await companyById(id))];
      const { closedBy } = channel;
      if (closedBy !== null && closedBy !== companyId && own.path.includes(`/${closedBy}/`))
        fail('channel.closedAbove');
      await setState(id, status, companyId);
      await publishChannels([id]);
    });
    return this.done('channel.status', before);
  }

  /** Returns a code with which another company can bind the own one. Replaces the previous code. */
  async offer(): Promise<RouteReturn<typeof offerChannel>> {
    const { companyId } = context();
    const own = found(await companyById(companyId));
    auditNote({ objectId: companyId, objectName: own.name });
    if (own.parentId === null) fail('channel.ownParent');
    if (own.path.split('/')[1] !== own.parentId) fail('channel.bound');
    const code = Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('');
    const expiresAt = new Date(Date.now() + codeHours * 3_600_000);
    await currentEntities().nativeDelete(ChannelCode, {});
    currentEntities().create(ChannelCode, {
      id: uuidv7(),
      companyId,
      hash: hashOf(code),
      expiresAt: expiresAt.toISOString(),
    });
    return { code: code.replaceAll(/(.{4})(?!$)/g, '$1-'), expiresAt: expiresAt.toISOString() };
  }

  /** Binds a company by its code. Wrong codes are counted: after some in an hour the user's codes are not looked up. */
  bind(body: RouteInput<typeof bindChannel>['body']): Promise<ChannelRecord> {
    return countingTaken(this.cache, ['channel.companyMissing'], () => this.take(body));
  }

  private async take({ code, addressId }: RouteInput<typeof bindChannel>['body']): Promise<ChannelRecord> {
    const { companyId } = context();
    await checkAddress(addressId);
    const { id } = await platform(currentDatabase(), 'a company is bound by the code that it made', async () => {
      await lockChannelTree();
      const [made] = await currentSql().rows(
        coded,
        `delete from channel_code c where c.hash = $1 and c.expires_at > now() returning ${coded}`,
        [hashOf(code)],
      );
      const channel = made && (await companyById(made.companyId));
      if (!channel) fail('channel.companyMissing');
      const own = found(await companyById(companyId));
      const [, top] = own.path.split('/');
      if (own.path.includes(`/${channel.id}/`)) fail('channel.ownParent');
      if (channel.parentId === companyId) fail('channel.alreadySub');
      if (channel.parentId !== top) fail('channel.bound');
      const moved = await move(channel, own);
      await recountLimits(companyId, [companyId, top], {
        createSubLimit: channel.createSubLimit,
        fcsLimit: channel.fcsLimit,
      });
      await revokeFeatures(`${own.path}${channel.id}/`, own);
      await publishChannels([companyId, top, ...moved]);
      await currentSql().query('update channel set address_id = $2 where id = $1', [channel.id, addressId]);
      return channel;
    });
    return this.done('channel.bind', undefined, id);
  }

  /**
   * Unbinds a channel. It moves below the installation's own company and keeps only the limits that it has given on.
   */
  async unbind(id: string): Promise<null> {
    const { companyId } = context();
    const before = await this.get(id);
    auditNote({ objectId: id, objectName: before.name, detail: { before: noteOf(before), after: null } });
    await platform(currentDatabase(), 'who is directly above unbinds a channel', async () => {
      await lockChannelTree();
      const [own, channel] = [found(await companyById(companyId)), found(await companyById(id))];
      const top = await this.top(own);
      if (top.id === companyId) fail('channel.top');
      await currentSql().query(
        `
          update company
          set create_sub_limit = sub_given, fcs_limit = fcs_given, fcs_url = '', fcs_domain = ''
          where id = $1
        `,
        [id],
      );
      const moved = await move(channel, top);
      await recountLimits(top.id, [companyId, top.id], nothing);
      await revokeFeatures(`${top.path}${id}/`, none);
      await publishChannels([companyId, top.id, ...moved]);
      await this.logForCompany(id, 'channel.unbind', { objectId: id, objectName: before.name });
    });
    await emitLive(companyId, 'channel', [id], null);
    return null;
  }

  private async top({ path }: CompanyRow): Promise<CompanyRow> {
    return found(await companyById(path.split('/')[1]!));
  }

  /** Writes both logs. The channel's own log does not name the user of the parent. */
  private async done(action: string, before: ChannelRecord | undefined, channelId?: string): Promise<ChannelRecord> {
    const after = await this.get(before?.id ?? channelId!);
    auditNote({
      objectId: after.id,
      objectName: after.name,
      detail: { before: before ? noteOf(before) : null, after: noteOf(after) },
    });
    await this.logForCompany(after.id, action, {
      objectId: after.id,
      objectName: after.name,
      detail: { before: before ? forItself(before) : null, after: forItself(after) },
    });
    return after;
  }

  private logForCompany(companyId: string, action: string, note: Parameters<typeof emitAudit>[2]): Promise<void> {
    return runAs(systemContext(companyId), () => emitAudit(action, 'success', note));
  }
}
