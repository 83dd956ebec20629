import { Injectable } from '@nestjs/common';
import { maxTags, type RouteInput, type RouteReturn, type listTags, type tagDevices } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, emitLive, fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { chosenIds, lockDevices } from '../device/device-list.queries.ts';
import { Device } from '../device/device.entity.ts';
import { deviceView, publishDevices } from '../device/device.publisher.ts';

const tag = columns(Device, 'd', [], {
  key: computed<string>('t.key'),
  value: computed<string>('t.value'),
  devices: computed<number>('count(*)::int'),
});
const count = columns(Device, 'd', [], { n: computed<number>('count(*)::int') });

/** Manages keys and values that devices are found by (DEV-14). Policies limit a user to the devices that they see. */
@Injectable()
export class TagService {
  list(): Promise<RouteReturn<typeof listTags>> {
    return currentSql().rows(
      tag,
      `
        select ${tag}
        from device d
        cross join jsonb_each_text(d.tags) t
        where d.tags <> '{}'
        group by t.key, t.value
        order by devices desc, t.key, t.value
        limit 500
      `,
    );
  }

  /** Tags all chosen devices or none. Returns how many it changed. */
  async tag({ target, set, remove }: RouteInput<typeof tagDevices>['body']): Promise<{ changed: number }> {
    const chosen = await chosenIds(target);
    await lockDevices(chosen);
    const given = Object.fromEntries(set.map(({ key, value }) => [key, value]));
    const values = [chosen, JSON.stringify(given), remove];
    const tags = `(d.tags || $2::jsonb) - $3::text[]`;
    const [full] = await currentSql().rows(
      count,
      `
        select ${count}
        from device d
        where d.id = any ($1::uuid[]) and (select count(*) from jsonb_object_keys(${tags})) > ${maxTags}
      `,
      values,
    );
    if (full!.n > 0) fail('device.tooManyTags', { most: maxTags, count: full!.n });
    const changed = await currentSql().rows(
      deviceView,
      `
        update device d
        set tags = ${tags}, version = d.version + 1
        where d.id = any ($1::uuid[]) and d.tags <> ${tags}
        returning ${deviceView}
      `,
      values,
    );
    if (changed.length === 0 && 'ids' in target)
      found((await currentSql().query('select 1 from device where id = any($1::uuid[]) limit 1', [chosen])).rows[0]);
    await publishDevices(changed);
    const orgIds = changed.map((d) => d.orgId);
    auditNote({
      ...(changed.length === 1 ? { objectId: changed[0]!.id, objectName: changed[0]!.name } : {}),
      orgIds,
      detail: {
        set: given,
        remove,
        count: changed.length,
        devices: changed.slice(0, 100).map((d) => ({ id: d.id, mac: d.mac, name: d.name })),
      },
    });
    if (changed.length > 0)
      await emitLive(
        context().companyId,
        'device',
        changed.map((d) => d.id),
        orgIds,
      );
    return { changed: changed.length };
  }
}
