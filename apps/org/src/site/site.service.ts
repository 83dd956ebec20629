import { Injectable } from '@nestjs/common';
import {
  orgSite,
  segmentsOf,
  type addSite,
  type editSite,
  type listSites,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { isZone } from '@carillon/contracts/user-place';
import { emit } from '@carillon/messaging';
import { column, columns, computed, currentEntities, currentSql, holdLock, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, fail, failAt, found, keepDeleted, takeBack, unlessTaken } from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import { publishSites } from '../org.publisher.ts';
import { Site, SiteSegment } from './site.entity.ts';
import { pageOfSites, siteById, type SiteRecord } from './site.queries.ts';

type Fields = RouteInput<typeof addSite>['body'];
const noteOf = ({ name, description, segments, autoAssign, downloadMbit, timeZone, path }: SiteRecord) => ({
  name,
  description,
  segments: segments.join(', '),
  autoAssign,
  downloadMbit,
  timeZone,
  path: path.join(' / '),
});

const deleted = columns(Site, 's', ['version'], { row: computed<object>('to_jsonb(s)') });
/** Columns of a site and its ancestors, of a table `up`. */
const above = columns(Site, 'up', ['id']);
/** A segment with its site. */
const owned = columns(SiteSegment, 'g', [], {
  segment: computed<string>('text(g.segment)'),
  site: column(Site, 's', 'name'),
});
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'site_name', 'name', 'site.nameTaken');

/** Manages the sites of a company (SITE-01), a tree whose network segments tell where a device is. */
@Injectable()
export class SiteService {
  list(query: RouteInput<typeof listSites>['query']): Promise<RouteReturn<typeof listSites>> {
    return pageOfSites(query);
  }

  async get(id: string): Promise<SiteRecord> {
    return found(await siteById(id));
  }

  async add(fields: Fields): Promise<SiteRecord> {
    const { companyId } = context();
    const segments = await this.begin(fields);
    await this.checkParent(fields.parentId, undefined);
    const id = uuidv7();
    const { parentId, name, description, autoAssign, downloadMbit = null, timeZone = null } = fields;
    currentEntities().create(Site, {
      id,
      companyId,
      parentId,
      name,
      description,
      autoAssign,
      downloadMbit,
      timeZone,
      version: 1,
    });
    await orNameTaken(currentEntities().flush());
    await this.setSegments(id, segments);
    const site = await this.publish(id);
    auditNote({ objectId: id, objectName: site.name, detail: { before: null, after: noteOf(site) } });
    return site;
  }

  async edit({ id, ...fields }: RouteInput<typeof editSite>['body']): Promise<SiteRecord> {
    const segments = await this.begin(fields);
    const before = await this.get(id);
    await this.checkParent(fields.parentId, id);
    const { parentId, name, description, autoAssign } = fields;
    const changed = found(await currentEntities().findOne(Site, id));
    const { downloadMbit = changed.downloadMbit, timeZone = changed.timeZone } = fields;
    const version = changed.version + 1;
    currentEntities().assign(changed, { parentId, name, description, autoAssign, downloadMbit, timeZone, version });
    await orNameTaken(currentEntities().flush());
    await this.setSegments(id, segments);
    const site = await this.publish(id);
    auditNote({ objectId: id, objectName: site.name, detail: { before: noteOf(before), after: noteOf(site) } });
    return site;
  }

  async delete(id: string): Promise<null> {
    await this.hold();
    const site = await this.get(id);
    auditNote({ objectId: id, objectName: site.name, detail: { before: noteOf(site), after: null } });
    const count = await currentEntities().count(Site, { parentId: id });
    if (count > 0) fail('site.notEmpty', { count });
    const { companyId } = context();
    const [row] = await currentSql().rows(deleted, `delete from site s where s.id = $1 returning ${deleted}`, [id]);
    await keepDeleted('site', id, { site: row!.row, segments: site.segments });
    await emit(orgSite, 'site', id, null, { companyId, version: row!.version + 1 });
    await emitLive(companyId, 'site', [id], null);
    return null;
  }

  /**
   * Restores sites. The last deleted one comes first, because children were deleted before their parents. Consumers
   * restore the devices.
   */
  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    await this.hold();
    const kept = await takeBack<{ site: { id: string; name: string }; segments: string[] }>('site', 'site', ids);
    if (kept.length === 0) return { restored: 0 };
    auditNote({
      ...(kept.length === 1 ? { objectId: kept[0]!.site.id } : {}),
      objectName: kept
        .map((k) => k.site.name)
        .join(', ')
        .slice(0, 256),
    });
    const back: SiteRecord[] = [];
    for (const { site, segments } of kept) {
      // Greater than the version of the deletion event.
      await orNameTaken(
        currentSql().query(
          `
            insert into site (
              id, company_id, parent_id, name, description, auto_assign, download_mbit, time_zone, version,
              updated_at
            )
            select r.id, r.company_id, (select p.id from site p where p.id = r.parent_id), r.name, r.description,
              r.auto_assign, r.download_mbit, r.time_zone, r.version + 2, now()
            from jsonb_populate_record(null::site, $1::jsonb) r
          `,
          [JSON.stringify(site)],
        ),
      );
      await this.setSegments(site.id, segments);
      back.push(await this.publish(site.id));
    }
    auditNote({
      detail: { before: null, after: back.length === 1 ? noteOf(back[0]!) : back.map((site) => site.path.join(' / ')) },
    });
    return { restored: back.length };
  }

  /**
   * Validates segments and zone before anything is read, then locks the tree, so that concurrent changes cannot form a
   * cycle.
   */
  private async begin({ segments: text, timeZone }: Pick<Fields, 'segments' | 'timeZone'>): Promise<string[]> {
    const { segments, wrong } = segmentsOf(text);
    if (wrong !== undefined) failAt('segments', 'site.segmentFormat', { segment: wrong.slice(0, 64) });
    if (timeZone && !isZone(timeZone)) failAt('timeZone', 'site.zoneUnknown');
    await this.hold();
    return segments;
  }

  private async hold(): Promise<void> {
    if (!seesAll()) fail('site.narrowed');
    await holdLock(`site ${context().companyId}`);
  }

  private async checkParent(parentId: string | null, id: string | undefined): Promise<void> {
    if (parentId === null) return;
    const rows = await currentSql().rows(
      above,
      `
        with recursive up as (
          select s.*
          from site s
          where s.id = $1
          union all select s.*
          from site s
          join up on s.id = up.parent_id
        )
        select ${above}
        from up
      `,
      [parentId],
    );
    if (rows.length === 0) fail('common.notFound');
    if (rows.some((r) => r.id === id)) failAt('parentId', 'site.cycle');
  }

  private async setSegments(id: string, segments: readonly string[]): Promise<void> {
    const [taken] = await currentSql().rows(
      owned,
      `
        select ${owned}
        from site_segment g
        join site s on s.id = g.site_id
        where g.site_id <> $1 and g.segment in (select network(x::inet) from unnest($2::text[]) x)
        limit 1
      `,
      [id, segments],
    );
    if (taken) failAt('segments', 'site.segmentTaken', { ...taken });
    await currentEntities().nativeDelete(SiteSegment, { siteId: id });
    await currentSql().query(
      `
        insert into site_segment (id, company_id, site_id, segment)
        select gen_random_uuid(), $2, $1, n
        from (select distinct network(x::inet) as n from unnest($3::text[]) x) s
      `,
      [id, context().companyId, segments],
    );
  }

  private async publish(id: string): Promise<SiteRecord> {
    await publishSites([id]);
    await emitLive(context().companyId, 'site', [id], null);
    return this.get(id);
  }
}
