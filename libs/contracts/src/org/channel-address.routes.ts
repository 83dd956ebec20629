import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';

export const channelAddressRecord = z
  .object({
    id,
    parentId: id.nullable(),
    name: z.string(),
    description: z.string(),
    /** Names from the root of the tree to this address. */
    path: z.array(z.string()),
    /** Number of channel accounts there. */
    channels: z.number(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ChannelAddress' });

const fields = {
  name: z.string().trim().min(1).max(64),
  parentId: id.nullable(),
  description: z.string().trim().max(256),
};

/** Lists addresses in tree order, each below its parent (CHN-05). */
export const listChannelAddresses = route({
  method: 'GET',
  path: '/api/f/org/channelAddress/list',
  summary: 'Channel addresses in the order of their tree',
  permission: 'channelAddress',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      description: orEmpty(text(256)),
      parentId: orEmpty(choice(id)),
      channels: number,
      updatedAt: moment,
    }),
    ...pageQuery,
    /** By default in tree order. */
    sort: sortBy(['name', 'description', 'channels', 'updatedAt']),
  }),
  response: listOf(channelAddressRecord),
  errors: [],
});

/** Lists the addresses to choose from, for users who manage channels. */
export const listChannelAddressNames = route({
  method: 'GET',
  path: '/api/f/org/channelAddress',
  summary: 'Channel addresses to choose from',
  permission: 'channel',
  audit: 'none',
  response: z.array(z.object({ id, path: z.array(z.string()) })),
  errors: [],
});

export const getChannelAddress = route({
  method: 'GET',
  path: '/api/f/org/channelAddress/{id}',
  summary: 'One channel address',
  permission: 'channelAddress',
  audit: 'none',
  params: z.object({ id }),
  response: channelAddressRecord,
  errors: [],
});

export const addChannelAddress = route({
  method: 'POST',
  path: '/api/f/org/channelAddress',
  summary: 'Add a channel address',
  permission: 'addChannelAddress',
  audit: 'channelAddress.add',
  status: 201,
  body: z.strictObject(fields),
  response: channelAddressRecord,
  errors: ['channelAddress.nameTaken'],
});

export const editChannelAddress = route({
  method: 'PUT',
  path: '/api/f/org/channelAddress',
  summary: 'Edit a channel address',
  permission: 'editChannelAddress',
  audit: 'channelAddress.edit',
  body: z.strictObject({ id, ...fields }),
  response: channelAddressRecord,
  errors: ['channelAddress.nameTaken', 'channelAddress.cycle'],
});

export const deleteChannelAddress = route({
  method: 'DELETE',
  path: '/api/f/org/channelAddress',
  summary: 'Delete a channel address that has no others below it and no channels',
  permission: 'deleteChannelAddress',
  audit: 'channelAddress.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['channelAddress.notEmpty', 'channelAddress.used'],
});

/** Restores addresses at their place, or at the root when the parent is gone. */
export const restoreChannelAddresses = route({
  method: 'POST',
  path: '/api/f/org/channelAddress/restore',
  summary: 'Take back a deletion of channel addresses',
  permission: 'deleteChannelAddress',
  audit: 'channelAddress.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'channelAddress.nameTaken'],
});
