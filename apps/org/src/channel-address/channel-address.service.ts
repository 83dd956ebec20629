import { Injectable } from '@nestjs/common';
import {
  orgChannelAddress,
  type addChannelAddress,
  type editChannelAddress,
  type RouteInput,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { columns, computed, currentEntities, currentSql, holdLock, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, fail, failAt, found, keepDeleted, takeBack, unlessTaken } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { publishAddresses } from '../org.publisher.ts';
import { ChannelAddress } from './channel-address.entity.ts';
import { addressById, type ChannelAddressRecord } from './channel-address.queries.ts';

type Fields = RouteInput<typeof addChannelAddress>['body'];
const noteOf = ({ name, description, path }: ChannelAddressRecord) => ({ name, description, path: path.join(' / ') });

const deleted = columns(ChannelAddress, 'a', ['version'], { row: computed<object>('to_jsonb(a)') });
/** Columns of an address and its ancestors, of a table `up`. */
const above = columns(ChannelAddress, 'up', ['id']);
const orNameTaken = <T>(work: Promise<T>) =>
  unlessTaken(work, 'channel_address_name', 'name', 'channelAddress.nameTaken');

/** Manages the tree of addresses of a company's channels (CHN-05). */
@Injectable()
export class ChannelAddressService {
  async get(id: string): Promise<ChannelAddressRecord> {
    return found(await addressById(id));
  }

  async add(fields: Fields): Promise<ChannelAddressRecord> {
    const { companyId } = context();
    await holdAddresses();
    await this.checkParent(fields.parentId, undefined);
    const id = uuidv7();
    currentEntities().create(ChannelAddress, { id, companyId, ...fields, version: 1 });
    await orNameTaken(currentEntities().flush());
    const address = await this.publish(id);
    auditNote({ objectId: id, objectName: address.name, detail: { before: null, after: noteOf(address) } });
    return address;
  }

  async edit({ id, ...fields }: RouteInput<typeof editChannelAddress>['body']): Promise<ChannelAddressRecord> {
    await holdAddresses();
    const before = await this.get(id);
    await this.checkParent(fields.parentId, id);
    const changed = found(await currentEntities().findOne(ChannelAddress, id));
    currentEntities().assign(changed, { ...fields, version: changed.version + 1 });
    await orNameTaken(currentEntities().flush());
    const address = await this.publish(id);
    auditNote({ objectId: id, objectName: address.name, detail: { before: noteOf(before), after: noteOf(address) } });
    return address;
  }

  async delete(id: string): Promise<null> {
    await holdAddresses();
    const address = await this.get(id);
    auditNote({ objectId: id, objectName: address.name, detail: { before: noteOf(address), after: null } });
    const count = await currentEntities().count(ChannelAddress, { parentId: id });
    if (count > 0) fail('channelAddress.notEmpty', { count });
    const { companyId } = context();
    if (address.channels > 0) fail('channelAddress.used', { count: address.channels });
    const [row] = await currentSql().rows(
      deleted,
      `delete from channel_address a where a.id = $1 returning ${deleted}`,
      [id],
    );
    await keepDeleted('channelAddress', id, row!.row);
    await emit(orgChannelAddress, 'channelAddress', id, null, { companyId, version: row!.version + 1 });
    await emitLive(companyId, 'channelAddress', [id], null);
    return null;
  }

  /** Restores addresses. The last deleted one comes first, because children were deleted before their parents. */
  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    await holdAddresses();
    const kept = await takeBack<{ id: string; name: string }>('channelAddress', 'channel_address', ids);
    if (kept.length === 0) return { restored: 0 };
    auditNote({
      ...(kept.length === 1 ? { objectId: kept[0]!.id } : {}),
      objectName: kept
        .map((k) => k.name)
        .join(', ')
        .slice(0, 256),
    });
    const back: ChannelAddressRecord[] = [];
    for (const row of kept) {
      // Greater than the version of the deletion event.
      await orNameTaken(
        currentSql().query(
          `
            insert into channel_address (id, company_id, parent_id, name, description, version, updated_at)
            select r.id, r.company_id, (select p.id from channel_address p where p.id = r.parent_id), r.name,
              r.description, r.version + 2, now()
            from jsonb_populate_record(null::channel_address, $1::jsonb) r
          `,
          [JSON.stringify(row)],
        ),
      );
      back.push(await this.publish(row.id));
    }
    auditNote({
      detail: { before: null, after: back.length === 1 ? noteOf(back[0]!) : back.map((a) => a.path.join(' / ')) },
    });
    return { restored: back.length };
  }

  private async checkParent(parentId: string | null, id: string | undefined): Promise<void> {
    if (parentId === null) return;
    const rows = await currentSql().rows(
      above,
      `
        with recursive up as (
          select a.*
          from channel_address a
          where a.id = $1
          union all select a.*
          from channel_address a
          join up on a.id = up.parent_id
        )
        select ${above}
        from up
      `,
      [parentId],
    );
    if (rows.length === 0) fail('common.notFound');
    if (rows.some((r) => r.id === id)) failAt('parentId', 'channelAddress.cycle');
  }

  private async publish(id: string): Promise<ChannelAddressRecord> {
    await publishAddresses([id]);
    await emitLive(context().companyId, 'channelAddress', [id], null);
    return this.get(id);
  }
}

/**
 * Locks the company's addresses and the placement of channels for the rest of the transaction, so that concurrent
 * changes cannot form a cycle.
 */
export const holdAddresses = () => holdLock(`address ${context().companyId}`);

/**
 * Checks an address. A company with addresses must place each channel at one (CHN-05).
 */
export async function checkAddress(addressId: string | null): Promise<void> {
  await holdAddresses();
  const where = addressId === null ? {} : { id: addressId };
  const known = await currentEntities().count(ChannelAddress, where);
  if (addressId === null && known > 0) failAt('addressId', 'channel.superiorAddressEmpty');
  if (addressId !== null && known === 0) fail('common.notFound');
}
