import type { Caller } from '../device-config/config-file.ts';
import { firmwareInAgent } from '../vendor/agent.ts';
import type { Vendor } from '../vendor/vendor.ts';
import type { Contact } from './phone-session.queries.ts';

/** Returns who asked; undefined without a maker, as for the text of the link, which no phone over HTTP loads. */
export const contactOf = (
  { one, vendor }: { one: Pick<Contact, 'id' | 'companyId' | 'mac' | 'ownerEpoch'>; vendor?: Vendor | undefined },
  { address, userAgent }: Caller,
): Contact | undefined =>
  vendor && {
    id: one.id,
    companyId: one.companyId,
    mac: one.mac,
    ownerEpoch: one.ownerEpoch,
    maker: vendor.name,
    firmware: firmwareInAgent(vendor, userAgent) ?? null,
    address,
    ownAddress: null,
  };
