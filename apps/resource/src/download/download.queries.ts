import { resourceDownload } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql } from '@carillon/persistence';
import type { DownloadGrant, OpenedGrant } from '@carillon/service';
import { StoredFile } from '../store/stored-file.entity.ts';
import { Download } from './download.entity.ts';
import type { SiteLimit } from './rate.ts';
import { limitedSql } from './site-copy.entity.ts';

/** The site whose limit applies to a device, and the limit. */
const limit = { siteId: computed<string | null>('l.at_id'), mbit: computed<number | null>('l.mbit') };
const stands = columns(Download, 'w', [], {
  isOwned: computed<boolean>('d.owner_epoch is not distinct from g.epoch'),
  isOver: computed<boolean>(
    'exists (select from task_file_copy t where t.id = g.task_id and (t.stopped or t.ended_at is not null))',
  ),
  begun: computed<boolean>('w.id is not null'),
  ...limit,
});
const other = columns(Download, 'w', [], {
  n: computed<number>('g.n::int'),
  isOver: computed<boolean>('x.is_over'),
  ...limit,
});
const sent = columns(Download, 'w', [], { isWhole: computed<boolean>('w.sent @> int8range(0, $4)') });
/** Separate ranges of a file that are kept for a phone. */
const mostRanges = 64;
const stored = columns(StoredFile, 's', ['id', 'size', 'sha256']);

/** Returns for each link whether it is still valid, with the access of its company. */
export function standing(grants: readonly DownloadGrant[]) {
  return currentSql().rows(
    stands,
    `
      ${limitedSql}
      select ${stands}
      from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[])
        with ordinality g (device_id, epoch, task_id, command_id, n)
      left join download w on w.id = g.command_id
      left join device_copy d on d.id = g.device_id
      left join limited l on l.id = d.site_id
      order by g.n
    `,
    [
      grants.map((g) => g.deviceId),
      grants.map((g) => g.ownerEpoch),
      grants.map((g) => g.taskId),
      grants.map((g) => g.commandId),
    ],
  );
}

export async function noteBegun(companyId: string, grants: readonly DownloadGrant[]): Promise<void> {
  await currentSql().query(
    `
      insert into download (id, company_id, device_id, file_id, begun_at, until)
      select g.id, $1, g.device_id, g.file_id, now(), g.until
      from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[]) g (id, device_id, file_id, until)
      on conflict (id) do nothing
    `,
    [
      companyId,
      grants.map((g) => g.commandId),
      grants.map((g) => g.deviceId),
      grants.map((g) => g.fileId),
      grants.map((g) => new Date(g.until).toISOString()),
    ],
  );
}

/** Publishes how far phones over HTTP are. Other devices report it themselves. */
export const publishLoads = (
  type: 'begun' | 'loaded',
  companyId: string,
  grants: readonly OpenedGrant[],
): Promise<void> =>
  emitMany(
    resourceDownload,
    type,
    grants
      .filter(({ isPhone }) => isPhone)
      .map(({ deviceId, commandId }) => ({ key: deviceId, companyId, data: { deviceId, commandId } })),
  );

/**
 * Keeps which bytes of its file a phone was sent, `to` exclusive, and tells it once when it was sent all of them. A
 * phone that was sent too many separate ranges is not kept with more of them.
 */
export async function noteSent(grant: OpenedGrant, from: number, to: number, size: number): Promise<void> {
  const range = 'int8range($2, $3)';
  const rows = await currentSql().rows(
    sent,
    `
      update download w
      set sent = w.sent + int8multirange(${range})
      where w.id = $1 and not w.sent @> ${range}
        and (select count(*) from unnest(w.sent + int8multirange(${range}))) <= ${mostRanges}
      returning ${sent}
    `,
    [grant.commandId, from, to, size],
  );
  if (rows.some(({ isWhole }) => isWhole)) await publishLoads('loaded', grant.companyId, [grant]);
}

/** Returns stored bytes by id, of whichever company: official firmware belongs to the operator. */
export async function storedFile(id: string) {
  const [file] = await currentSql().rows(stored, `select ${stored} from stored_file s where s.id = $1`, [id]);
  return file;
}

export const limitOf = ({ siteId, mbit }: { siteId: string | null; mbit: number | null }): SiteLimit | undefined =>
  siteId === null || mbit === null ? undefined : { siteId, mbit };

/**
 * Returns the indexes of downloads that must end or have another limit than before. Covers all companies: run it as the
 * platform.
 */
export async function notAsBefore(all: readonly { grant: DownloadGrant; limit: SiteLimit | undefined }[]) {
  const rows = await currentSql().rows(
    other,
    `
      ${limitedSql}
      select ${other}
      from unnest($1::uuid[], $2::int[], $3::uuid[], $4::uuid[], $5::int[])
        with ordinality g (device_id, epoch, task_id, site_id, mbit, n)
      left join device_copy d on d.id = g.device_id and d.owner_epoch = g.epoch
      left join limited l on (l.id, l.company_id) = (d.site_id, d.company_id)
      cross join lateral (
        select d.id is null or exists (
          select from task_file_copy t where t.id = g.task_id and (t.stopped or t.ended_at is not null)
        ) as is_over
      ) x
      where x.is_over or l.at_id is distinct from g.site_id or l.mbit is distinct from g.mbit
    `,
    [
      all.map(({ grant }) => grant.deviceId),
      all.map(({ grant }) => grant.ownerEpoch),
      all.map(({ grant }) => grant.taskId),
      all.map(({ limit: of }) => of?.siteId ?? null),
      all.map(({ limit: of }) => of?.mbit ?? null),
    ],
  );
  return rows.map(({ n, isOver, ...counts }) => ({ place: n - 1, isOver, limit: limitOf(counts) }));
}
