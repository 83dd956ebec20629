import {
  addDeviceImport,
  addSipServer,
  addSite,
  commitDeviceImport,
  getDevice,
  getDeviceImport,
  listServerNames,
  listSiteNames,
  orgSite,
  provisioningServer,
  type Client,
  type ImportStatus,
} from '@carillon/contracts';
import { envelope, toRecord, type Bus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { Actor, TestedService } from './service-test.ts';
import { eventually } from './eventually.ts';
import { inPieces, sheetFile } from './sheet.ts';

/** Fields that every new device needs besides its identity (DEV-02). */
export interface DevicePlace {
  siteId: string;
  serverId: string;
}
const site = 'Place of devices';
const server = 'Server of devices';
/** The server's name in a sheet. */
export const placeServer = server;

const siteOf = async (call: Client) => (await call(listSiteNames)).find((row) => row.name === site)?.id;
const serverOf = async (call: Client) => (await call(listServerNames)).find((row) => row.name === server)?.id;
/** Waits until the device service knows the object. */
const heard = (find: () => Promise<string | undefined>): Promise<string> =>
  eventually(async () => {
    const id = await find();
    if (id === undefined) throw new Error('the device service has not heard of it yet');
    return id;
  }, 30_000);

async function madeServer(call: Client): Promise<string> {
  if (!(await serverOf(call)))
    await call(addSipServer, {
      body: {
        name: server,
        address: 'pbx.example.com',
        port: 5060,
        transport: 'udp',
        domain: '',
        proxyAddress: null,
        proxyPort: null,
        backupAddress: null,
        backupPort: null,
      },
    });
  return heard(() => serverOf(call));
}

/** Creates a site and a SIP server of the logged-in company, once per product. */
export async function devicePlace(call: Client): Promise<DevicePlace> {
  const serverId = await madeServer(call);
  if (!(await siteOf(call)))
    await call(addSite, { body: { name: site, parentId: null, description: '', segments: '', autoAssign: false } });
  return { siteId: await heard(() => siteOf(call)), serverId };
}

/** The same for each actor's company when the device service runs alone: publishes them on the bus. */
export function devicePlaces(bus: Bus, service: Pick<TestedService, 'as'>): (actor: Actor) => Promise<DevicePlace> {
  const places = new Map<string, Promise<DevicePlace>>();
  const addPlace = async ({ companyId, ...actor }: Actor): Promise<DevicePlace> => {
    const place = { siteId: uuidv7(), serverId: uuidv7() };
    const about = { companyId, version: 1 };
    await bus.publish([
      toRecord(
        orgSite,
        place.siteId,
        { id: place.siteId, companyId, parentId: null, name: site, autoAssign: false, segments: [] },
        envelope('site', about),
      ),
      toRecord(
        provisioningServer,
        place.serverId,
        { id: place.serverId, companyId, name: server, address: 'pbx.example.com' },
        envelope('server', about),
      ),
    ]);
    const call = service.as({ ...actor, companyId });
    return { siteId: await heard(() => siteOf(call)), serverId: await heard(() => serverOf(call)) };
  };
  return (actor) => {
    const place = places.get(actor.companyId) ?? addPlace(actor);
    places.set(actor.companyId, place);
    return place;
  };
}

/** Imports a device from a sheet without a site; its first contact sets the site (SITE-01). */
export async function importedDevice(
  call: Client,
  { mac, name, sn }: { mac: string; name: string; sn: string },
): Promise<{ id: string; secret: string }> {
  await madeServer(call);
  const secret = `${mac}-${uuidv7()}`;
  const file = inPieces(
    sheetFile([
      ['mac', 'name', 'model', 'sn', 'sipServer', 'secret'],
      [mac, name, 'X7A', sn, server, secret],
    ]),
  );
  const { import: made } = await call(addDeviceImport, { body: { name: 'devices.xlsx', file } });
  const { id: importId } = made!;
  const reached = (status: ImportStatus) =>
    eventually(async () => {
      const now = await call(getDeviceImport, { params: { id: importId } });
      if (now.status !== status) throw new Error(`${now.status} ${JSON.stringify(now.counts)}`);
    }, 30_000);
  await reached('checked');
  await call(commitDeviceImport, { params: { id: importId } });
  await reached('done');
  return { id: (await call(getDevice, { params: { id: mac } })).id, secret };
}
