import { Controller } from '@nestjs/common';
import {
  addEmailNotice,
  deleteEmailNotice,
  editEmailNotice,
  getEmailNotice,
  listEmailNotices,
  restoreEmailNotices,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { noticePage } from './email-notice.queries.ts';
import { EmailNotices } from './email-notice.service.ts';

@Controller()
export class EmailNoticeController {
  constructor(private readonly notices: EmailNotices) {}

  @Handle(listEmailNotices) list({ query }: RouteInput<typeof listEmailNotices>) {
    return noticePage(query);
  }
  @Handle(getEmailNotice) get({ params }: RouteInput<typeof getEmailNotice>) {
    return this.notices.get(params.id);
  }
  @Handle(addEmailNotice) add({ body }: RouteInput<typeof addEmailNotice>) {
    return this.notices.add(body);
  }
  @Handle(editEmailNotice) edit({ body }: RouteInput<typeof editEmailNotice>) {
    return this.notices.edit(body);
  }
  @Handle(deleteEmailNotice) delete({ query }: RouteInput<typeof deleteEmailNotice>) {
    return this.notices.delete(query.id);
  }
  @Handle(restoreEmailNotices) restore({ body }: RouteInput<typeof restoreEmailNotices>) {
    return this.notices.restore(body.ids);
  }
}
