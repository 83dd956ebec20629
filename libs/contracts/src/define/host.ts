import { z } from 'zod';

/** A host name or an IP address, IPv6 in brackets, without a port. */
export const hostNamePattern = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)$/;
/** The same with an optional port. */
export const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)(:\d{1,5})?$/;

export const hostName = z.string().trim().toLowerCase().max(253).regex(hostNamePattern, 'common.hostName');
export const port = z.number().int().min(1).max(65_535);
