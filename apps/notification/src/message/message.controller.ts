import { Controller } from '@nestjs/common';
import {
  clearMessages,
  deleteMessages,
  listMessages,
  listNotices,
  readMessages,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { auditNote, Handle } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { markRead, messagePage, notices, removeMessages } from './message.queries.ts';

const idsOf = (body: string[] | { ids: string[] }): string[] => (Array.isArray(body) ? body : body.ids);

/** The bell and /alarm (NOTE-02). Read state is per user, deletion is for the whole company. */
@Controller()
export class MessageController {
  /** Polled every minute by every user; a user without the alarm permission has no notices. */
  @Handle(listNotices)
  notices(): Promise<RouteReturn<typeof listNotices>> {
    return context().permissions.includes('alarm') ? notices() : Promise.resolve([]);
  }

  @Handle(listMessages)
  list({ query }: RouteInput<typeof listMessages>): Promise<RouteReturn<typeof listMessages>> {
    return messagePage(query);
  }

  @Handle(readMessages)
  async read({ body }: RouteInput<typeof readMessages>): Promise<RouteReturn<typeof readMessages>> {
    const read = await markRead({ ids: idsOf(body) });
    auditNote({ detail: { read } });
    return { read };
  }

  @Handle(clearMessages)
  async clear({ params: { type } }: RouteInput<typeof clearMessages>): Promise<RouteReturn<typeof clearMessages>> {
    const read = await markRead(type === -1 ? 'all' : { type });
    auditNote({ detail: { type, read } });
    return { read };
  }

  @Handle(deleteMessages)
  async remove({ body }: RouteInput<typeof deleteMessages>): Promise<RouteReturn<typeof deleteMessages>> {
    const gone = await removeMessages(idsOf(body));
    auditNote({ detail: { count: gone.length, before: gone.slice(0, 100) } });
    return { deleted: gone.length };
  }
}
