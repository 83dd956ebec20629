import {
  channelFlags,
  type companyStates,
  type listChannels,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
  holdLock,
  type RowOf,
} from '@carillon/persistence';
import { failAt, readPage } from '@carillon/service';
import { addressTreeSql } from '../channel-address/channel-address.queries.ts';
import { Company } from '../company/company.entity.ts';
import { Channel } from './channel.entity.ts';

export type ChannelRecord = RouteReturn<typeof listChannels>['records'][number];

const record = columns(
  Channel,
  'c',
  [
    'id',
    'name',
    'type',
    'status',
    'addressId',
    'createSubLimit',
    'subs',
    'fcsLimit',
    'licenseGranting',
    'fcsEnabled',
    'localSync',
    'fcsUrl',
    'fcsDomain',
    'username',
    'nickname',
    'email',
    'accountStatus',
    'language',
    'timezoneId',
    'countryId',
    'remarks',
    'createdAt',
    'updatedAt',
  ],
  { address: computed<string[]>(`coalesce((select t.path from tree t where t.id = c.address_id), '{}')`) },
);
const c = columnNames(Channel, 'c');
const { text, number, moment, flag, id } = filterBy;
const filterColumns = {
  name: text(c.name),
  type: text(c.type),
  status: text(c.status),
  addressId: id(c.addressId),
  createSubLimit: number(c.createSubLimit),
  subs: number(c.subs),
  fcsLimit: number(c.fcsLimit),
  licenseGranting: flag(c.licenseGranting),
  fcsEnabled: flag(c.fcsEnabled),
  localSync: flag(c.localSync),
  fcsUrl: text(c.fcsUrl),
  fcsDomain: text(c.fcsDomain),
  username: text(c.username),
  nickname: text(c.nickname),
  email: text(c.email),
  accountStatus: text(c.accountStatus),
  language: text(c.language),
  timezoneId: number(c.timezoneId),
  countryId: number(c.countryId),
  remarks: text(c.remarks),
  createdAt: moment(c.createdAt),
  updatedAt: moment(c.updatedAt),
};
const sorts = {
  name: alphabetic(c.name),
  type: c.type,
  status: c.status,
  createSubLimit: c.createSubLimit,
  subs: c.subs,
  fcsLimit: c.fcsLimit,
  licenseGranting: c.licenseGranting,
  fcsEnabled: c.fcsEnabled,
  localSync: c.localSync,
  fcsUrl: alphabetic(c.fcsUrl),
  fcsDomain: alphabetic(c.fcsDomain),
  username: alphabetic(c.username),
  nickname: alphabetic(c.nickname),
  email: alphabetic(c.email),
  accountStatus: c.accountStatus,
  remarks: alphabetic(c.remarks),
  createdAt: c.createdAt,
  updatedAt: c.updatedAt,
};

export async function pageOfChannels(
  query: RouteInput<typeof listChannels>['query'],
): Promise<RouteReturn<typeof listChannels>> {
  return readPage({
    query,
    record,
    with: addressTreeSql,
    from: 'channel c',
    searched: [c.name, c.username, c.nickname, c.email],
    filters: filterColumns,
    sorts,
    order: `${alphabetic(c.name)}, ${c.id}`,
  });
}

export async function channelById(channelId: string): Promise<ChannelRecord | undefined> {
  return (
    await currentSql().rows(record, `${addressTreeSql} select ${record} from channel c where c.id = $1`, [channelId])
  )[0];
}

const company = columns(Company, 'c', [
  'id',
  'name',
  'parentId',
  'path',
  'type',
  'status',
  'closedBy',
  'createSubLimit',
  'subGiven',
  'fcsLimit',
  'fcsGiven',
  'fcsUsed',
  'licenseGranting',
  'fcsEnabled',
  'localSync',
]);
export type CompanyRow = RowOf<typeof company>;

export async function companyById(companyId: string): Promise<CompanyRow | undefined> {
  return (await currentSql().rows(company, `select ${company} from company c where c.id = $1`, [companyId]))[0];
}

/*
 * The following functions cross companies: they run in `platform()`, after the caller was found to be the direct
 * parent.
 */

/** Serializes changes to the channel tree, so that limits stay exact and no cycle can form. */
export const lockChannelTree = () => holdLock('channel tree');

const given = columns(Company, 'c', ['id', 'createSubLimit', 'subGiven', 'fcsLimit', 'fcsGiven', 'fcsUsed']);

/**
 * Recounts what these companies have given to their children. A child counts as one plus its own limit, so that a limit
 * holds for the whole subtree. Fails when that exceeds what they have; `asked` are the requested limits.
 */
export async function recountLimits(
  parentId: string,
  ids: readonly string[],
  asked: { createSubLimit: number; fcsLimit: number },
): Promise<void> {
  const rows = await currentSql().rows(
    given,
    `
      update company c
      set sub_given = coalesce((select sum(1 + d.create_sub_limit) from company d where d.parent_id = c.id), 0),
        fcs_given = coalesce((select sum(d.fcs_limit) from company d where d.parent_id = c.id), 0),
        version = version + 1, updated_at = now()
      where c.id = any ($1)
      returning ${given}
    `,
    [[...new Set(ids)]],
  );
  for (const row of rows) {
    const isParent = row.id === parentId;
    if (row.subGiven > row.createSubLimit)
      failAt(
        'createSubLimit',
        isParent ? 'channel.subLimit' : 'channel.limitInUse',
        isParent
          ? { left: Math.max(0, row.createSubLimit - row.subGiven + asked.createSubLimit) }
          : { used: row.subGiven },
      );
    // A company cannot give away what it uses itself; a change that gives nothing does not fail because of it.
    const held = row.fcsGiven + (isParent && asked.fcsLimit === 0 ? 0 : row.fcsUsed);
    if (held > row.fcsLimit)
      failAt(
        'fcsLimit',
        isParent ? 'channel.fcsLimit' : 'channel.limitInUse',
        isParent ? { left: Math.max(0, row.fcsLimit - held + asked.fcsLimit) } : { used: held },
      );
  }
}

const changed = columns(Company, 'c', ['id']);

/**
 * Revokes features for the whole subtree, because a child may not have what its parent lacks. Returns the ids of the
 * companies that lost one.
 */
export async function revokeFeatures(
  path: string,
  has: Pick<CompanyRow, (typeof channelFlags)[number]>,
): Promise<string[]> {
  const rows = await currentSql().rows(
    changed,
    `
      update company c
      set license_granting = license_granting and $2, fcs_enabled = fcs_enabled and $3, local_sync = local_sync and $4,
        version = version + 1, updated_at = now()
      where c.path like $1 || '%' and (
        license_granting and not $2::boolean or fcs_enabled and not $3::boolean or local_sync and not $4::boolean
      )
      returning ${changed}
    `,
    [path, has.licenseGranting, has.fcsEnabled, has.localSync],
  );
  return rows.map((row) => row.id);
}

/** Moves a company and its subtree below another one. Returns the ids of the moved companies. */
export async function move(child: CompanyRow, parent: CompanyRow): Promise<string[]> {
  const rows = await currentSql().rows(
    changed,
    `
      update company c
      set path = $2 || substr(c.path, length($1) - 36), version = version + 1, updated_at = now(),
        parent_id = case when c.id = $3 then $4 else c.parent_id end,
        remarks = case when c.id = $3 then '' else c.remarks end
      where c.path like $1 || '%'
      returning ${changed}
    `,
    [child.path, parent.path, child.id, parent.id],
  );
  return rows.map((row) => row.id);
}

/** Updates the parents' rows of these companies from their current state. */
export const mirrorChannels = (ids: readonly string[]) =>
  currentSql().query(
    `
      update channel h
      set company_id = c.parent_id, name = c.name, type = c.type, status = c.status, remarks = c.remarks,
        create_sub_limit = c.create_sub_limit, fcs_limit = c.fcs_limit, license_granting = c.license_granting,
        fcs_enabled = c.fcs_enabled, local_sync = c.local_sync, fcs_url = c.fcs_url, fcs_domain = c.fcs_domain,
        subs = (select count(*) from company d where d.path like c.path || '_%'),
        address_id = case when h.company_id = c.parent_id then h.address_id end, updated_at = now()
      from company c
      where c.id = h.id and c.id = any ($1)
    `,
    [ids],
  );

/** Sets a company's status. A company whose account was never activated becomes inactive instead of active. */
export const setState = (companyId: string, status: (typeof companyStates)[number], by: string) =>
  currentSql().query(
    `
      update company c
      set status = case when $2 = 'normal' and exists (
          select from channel h where h.id = c.id and h.account_status = 'inactive'
        ) then 'inactive' else $2 end,
        closed_by = case when $2 <> 'normal' then $3::uuid end, version = version + 1, updated_at = now()
      where c.id = $1
    `,
    [companyId, status, by],
  );
