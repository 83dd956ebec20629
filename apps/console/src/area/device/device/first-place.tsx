import type { ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAccess, useUser } from '../../../kit/api/access.ts';
import { call, isCallError, remote } from '../../../kit/api/call.ts';
import { waitUntilKnown } from '../../../kit/api/wait-until-known.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { listServers, serverNamesQuery } from '../record/device.calls.ts';
import { addSite, siteKnown, siteNamesQuery } from '../site/site.calls.ts';

const addSipServer = remote('addSipServer', 'POST /api/f/provisioning/sipServer');

/** What the first device of a company needs besides its own data. */
export interface FirstPlace {
  siteName: string;
  address: string;
}
interface Places {
  siteId: string;
  serverId: string;
}

/**
 * Returns the place of a new device: the chosen site and SIP server, or the only ones that exist. Where there is none
 * yet, the form asks for a new one, and `create` adds it.
 */
export function useFirstPlace(values: Places & FirstPlace) {
  const { t } = useText();
  const { can } = useAccess();
  // Sites and SIP servers belong to the whole company.
  const isWhole = useUser().data?.allOrgs === true;
  const client = useQueryClient();
  const sites = useQuery(siteNamesQuery()).data;
  const servers = useQuery(serverNamesQuery()).data;
  const only = (all: readonly { id: string }[] | undefined): string => (all?.length === 1 ? all[0]!.id : '');
  const places: Places = {
    siteId: values.siteId || only(sites),
    serverId: values.serverId || only(servers),
  };
  const asks = {
    site: places.siteId === '' && sites?.length === 0 && isWhole && can('addSite'),
    server: places.serverId === '' && servers?.length === 0 && isWhole && can('addSipServer'),
  };
  return {
    places,
    asks,
    missing: () => ({
      ...(asks.site && values.siteName.trim() === '' ? { siteName: t('site.nameMissing') } : {}),
      ...(asks.server && values.address.trim() === '' ? { address: t('sipServer.addressMissing') } : {}),
    }),
    /** Adds what is missing, and tells each id, so that a later error does not add it twice. */
    create: async (created: (places: Partial<Places>) => void): Promise<Places> => {
      const all = { ...places };
      if (asks.site) {
        all.siteId = await firstSite(values.siteName.trim());
        created({ siteId: all.siteId });
        await client.invalidateQueries({ queryKey: siteNamesQuery().queryKey });
      }
      if (asks.server) {
        all.serverId = await firstServer(values.address.trim());
        created({ serverId: all.serverId });
        await client.invalidateQueries({ queryKey: serverNamesQuery().queryKey });
      }
      return all;
    },
  };
}

/** Shows an error of the new object's name at the field that it was made from, and not at the device's name. */
function atField(field: keyof FirstPlace): (e: unknown) => never {
  return (e) => {
    if (isCallError(e)) for (const fault of e.fields) if (fault.path === 'name') fault.path = field;
    throw e;
  };
}

async function firstSite(name: string): Promise<string> {
  const { id } = await call(addSite, {
    body: { name, parentId: null, description: '', segments: '', autoAssign: false, downloadMbit: null },
  }).catch(atField('siteName'));
  await siteKnown(id);
  return id;
}

/** Adds a SIP server with the standard port and transport, which its page changes. */
async function firstServer(address: string): Promise<string> {
  const none = { proxyAddress: null, proxyPort: null, backupAddress: null, backupPort: null };
  const name = address.replace(/^\s*sips?:/i, '').slice(0, 64);
  const { id } = await call(addSipServer, {
    body: { name, address, transport: 'udp', port: 5060, domain: '', ...none },
  }).catch(atField('address'));
  await waitUntilKnown(id, () => call(listServers));
  return id;
}

/** Asks for the first site or the first SIP server of a company. */
export function FirstPlaceField({
  field,
  values,
  set,
  fault,
}: {
  field: keyof FirstPlace;
  values: FirstPlace;
  set: (change: Partial<FirstPlace>) => void;
  fault: (field: keyof FirstPlace) => ReactNode;
}) {
  const { t } = useText();
  const isSite = field === 'siteName';
  return (
    <TextInput
      name={field}
      label={t(isSite ? 'deviceForm.firstSite' : 'deviceForm.firstServer')}
      description={t(isSite ? 'deviceForm.firstSiteHint' : 'deviceForm.firstServerHint')}
      maxLength={isSite ? 64 : 253}
      value={values[field]}
      onChange={(e) => set({ [field]: e.currentTarget.value })}
      error={fault(field)}
      autoComplete="off"
      spellCheck={isSite}
    />
  );
}
