import type { authCompany, EventData } from '@carillon/contracts';
import { column, columns, currentEntities, currentSql } from '@carillon/persistence';
import { ChannelAddress } from '../channel-address/channel-address.entity.ts';
import { Company } from '../company/company.entity.ts';
import { Channel } from './channel.entity.ts';
import { companyById, lockChannelTree, recountLimits } from './channel.queries.ts';
import { publishChannels } from './channel.publisher.ts';

const made = columns(Company, 'c', [], { id: column(Company, 'c', 'id') });
const known = columns(Channel, 'h', ['id']);

/**
 * Creates a company and its parent's channel row. Call inside of `platform()`. Auth has checked the limits in its own
 * copy; what the parent has lost since is not granted. Returns whether the company is new.
 */
export async function makeCompany(data: EventData<typeof authCompany, 'made'>): Promise<boolean> {
  await lockChannelTree();
  const parent = await companyById(data.parentId);
  const asked = data.channel;
  const left = (limit = 0, given = 0) => Math.max(0, limit - given);
  const grants = {
    createSubLimit: Math.min(asked?.createSubLimit ?? 0, left(parent?.createSubLimit, (parent?.subGiven ?? 0) + 1)),
    fcsLimit: Math.min(asked?.fcsLimit ?? 0, left(parent?.fcsLimit, (parent?.fcsGiven ?? 0) + (parent?.fcsUsed ?? 0))),
    licenseGranting: Boolean(asked?.licenseGranting && parent?.licenseGranting),
    fcsEnabled: Boolean(asked?.fcsEnabled && parent?.fcsEnabled),
    localSync: Boolean(asked?.localSync && parent?.localSync),
  };
  const rows = await currentSql().rows(
    made,
    `
      insert into company as c (
        id, company_id, name, parent_id, path, type, status, remarks, create_sub_limit, fcs_limit, license_granting,
        fcs_enabled, local_sync, fcs_url, fcs_domain, version, created_at, updated_at
      )
      values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 1, now(), now())
      on conflict (id) do nothing
      returning ${made}
    `,
    [
      data.companyId,
      data.name,
      data.parentId,
      `${parent?.path ?? `/${data.parentId}/`}${data.companyId}/`,
      data.type,
      asked ? 'inactive' : 'normal',
      data.remarks,
      grants.createSubLimit,
      grants.fcsLimit,
      grants.licenseGranting,
      grants.fcsEnabled,
      grants.localSync,
      asked?.fcsUrl ?? '',
      asked?.fcsDomain ?? '',
    ],
  );
  if (rows.length === 0) return false;
  const place = asked?.addressId
    ? await currentEntities().count(ChannelAddress, { id: asked.addressId, companyId: data.parentId })
    : 0;
  await currentSql().query(
    `
      insert into channel (
        id, company_id, name, type, status, remarks, create_sub_limit, subs, fcs_limit, license_granting, fcs_enabled,
        local_sync, fcs_url, fcs_domain, address_id, username, nickname, email, account_status, language, timezone_id,
        country_id, created_at, updated_at
      )
      select c.id, c.parent_id, c.name, c.type, c.status, c.remarks, c.create_sub_limit, 0, c.fcs_limit,
        c.license_granting, c.fcs_enabled, c.local_sync, c.fcs_url, c.fcs_domain, $2, '', '', null, $3, null, null, 1,
        c.created_at, now()
      from company c
      where c.id = $1
    `,
    [data.companyId, place > 0 ? asked!.addressId : null, asked ? 'inactive' : 'normal'],
  );
  await recountLimits(data.parentId, [data.parentId], grants);
  await publishChannels([data.parentId, data.companyId]);
  return true;
}

/** Stores the account of a company in its channel row. Call inside of `platform()`. */
export async function setAccount(companyId: string, account: EventData<typeof authCompany, 'account'>): Promise<void> {
  const { username, nickname, email, status, language, timezoneId, countryId } = account;
  await lockChannelTree();
  const rows = await currentSql().rows(
    known,
    `
      update channel h
      set username = $2, nickname = $3, email = $4, account_status = $5, language = $6, timezone_id = $7,
        country_id = $8
      where h.id = $1
      returning ${known}
    `,
    [companyId, username, nickname, email, status, language, timezoneId, countryId],
  );
  if (rows.length === 0) return;
  if (status !== 'inactive')
    await currentSql().query(
      `
        update company
        set status = 'normal', version = version + 1, updated_at = now()
        where id = $1 and status = 'inactive'
      `,
      [companyId],
    );
  await publishChannels([companyId]);
}
