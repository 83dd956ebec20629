import { Controller } from '@nestjs/common';
import {
  addSipServer,
  deleteSipServer,
  editSipServer,
  getSipServer,
  listSipServerNames,
  listSipServers,
  restoreSipServers,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { SipServerService } from './sip-server.service.ts';

@Controller()
export class SipServerController {
  constructor(private readonly servers: SipServerService) {}

  @Handle(listSipServers) list({ query }: RouteInput<typeof listSipServers>) {
    return this.servers.list(query);
  }
  @Handle(listSipServerNames) names() {
    return this.servers.names();
  }
  @Handle(getSipServer) get({ params }: RouteInput<typeof getSipServer>) {
    return this.servers.get(params.id);
  }
  @Handle(addSipServer) add({ body }: RouteInput<typeof addSipServer>) {
    return this.servers.add(body);
  }
  @Handle(editSipServer) edit({ body }: RouteInput<typeof editSipServer>) {
    return this.servers.edit(body);
  }
  @Handle(deleteSipServer) delete({ query }: RouteInput<typeof deleteSipServer>) {
    return this.servers.delete(query.id);
  }
  @Handle(restoreSipServers) restore({ body }: RouteInput<typeof restoreSipServers>) {
    return this.servers.restore(body.ids);
  }
}
