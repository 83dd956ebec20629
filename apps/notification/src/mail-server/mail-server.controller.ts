import { Controller } from '@nestjs/common';
import { deleteMailServer, editMailServer, getMailServer, testMailServer, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { MailServerService } from './mail-server.service.ts';

@Controller()
export class MailServerController {
  constructor(private readonly servers: MailServerService) {}

  @Handle(getMailServer) get() {
    return this.servers.get();
  }
  @Handle(editMailServer) edit({ body }: RouteInput<typeof editMailServer>) {
    return this.servers.edit(body);
  }
  @Handle(deleteMailServer) delete() {
    return this.servers.delete();
  }
  @Handle(testMailServer) test({ body }: RouteInput<typeof testMailServer>) {
    return this.servers.test(body);
  }
}
