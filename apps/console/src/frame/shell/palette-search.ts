import type { ComponentType } from 'react';
import { IconAddressBook, IconMapPin, IconUser } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listSites } from '../../area/device/site/site.calls.ts';
import { userListQuery } from '../../area/people/user/user.calls.ts';
import { listSipAccounts } from '../../area/sip/sip-account/sip-account.calls.ts';
import { useAccess, useGranted } from '../../kit/api/access.ts';
import { call } from '../../kit/api/call.ts';
import { useText } from '../../kit/text/use-text.ts';

/** A user, site or SIP account that matches what was typed. */
interface Found {
  id: string;
  name: string;
  hint: string;
  href: string;
}
export interface FoundGroup {
  label: string;
  Icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': boolean }>;
  found: readonly Found[];
}

const most = 5;
const siteSearch = (search: string) =>
  queryOptions({
    queryKey: ['site', 'palette', search],
    queryFn: ({ signal }) => call(listSites, { query: { search, limit: most } }, { signal }),
    placeholderData: keepPreviousData,
  });
const accountSearch = (search: string) =>
  queryOptions({
    queryKey: ['sipAccount', 'palette', search],
    queryFn: ({ signal }) => call(listSipAccounts, { query: { search, limit: most } }, { signal }),
    placeholderData: keepPreviousData,
  });

/**
 * Finds users, sites and SIP accounts, as far as the user may see them. Earlier results stay while they match the
 * current text, so that nothing jumps, and Enter never takes a result that does not match.
 */
export function useFound(
  typed: string,
  search: string,
  isOpen: boolean,
): { groups: FoundGroup[]; isFetching: boolean } {
  const { t } = useText();
  const { can } = useAccess();
  const asks = isOpen && search.length >= 2;
  const granted = {
    users: useGranted('/system/users'),
    sites: useGranted('/site/list'),
    accounts: useGranted('/account/sip/sipAccount'),
  };
  const users = useQuery({ ...userListQuery({ search, limit: most }), enabled: asks && granted.users });
  const sites = useQuery({ ...siteSearch(search), enabled: asks && granted.sites });
  const accounts = useQuery({ ...accountSearch(search), enabled: asks && granted.accounts });
  const listed = (path: string, name: string): string => `${path}?search=${encodeURIComponent(name)}`;
  const found = <Row>(query: UseQueryResult<{ records: Row[] }>, entry: (row: Row) => Found): Found[] => {
    const isAnswered = typed === search.toLowerCase() && !query.isPlaceholderData;
    const rows = typed.length < 2 ? [] : (query.data?.records ?? []).map(entry);
    return rows.filter(
      ({ name, hint }) => isAnswered || [name, hint].some((text) => text.toLowerCase().includes(typed)),
    );
  };
  return {
    groups: [
      {
        label: t('menu.users'),
        Icon: IconUser,
        found: found(users, (u) => ({
          id: u.id,
          name: u.nickname,
          hint: u.username,
          href: can('editUser') ? `/system/users/editUser?id=${u.id}` : listed('/system/users', u.username),
        })),
      },
      {
        label: t('menu.sites'),
        Icon: IconMapPin,
        found: found(sites, (s) => ({
          id: s.id,
          name: s.name,
          hint: s.path.slice(0, -1).join(' / '),
          href: listed('/site/list', s.name),
        })),
      },
      {
        label: t('menu.sipAccounts'),
        Icon: IconAddressBook,
        found: found(accounts, (a) => ({
          id: a.id,
          name: a.name,
          hint: `${a.number} · ${a.server.name}`,
          href: can('editSipAccount')
            ? `/account/sip/editSipAccount?id=${a.id}`
            : listed('/account/sip/sipAccount', a.number),
        })),
      },
    ],
    isFetching: [users, sites, accounts].some((query) => query.isFetching),
  };
}
