import { Controller } from '@nestjs/common';
import {
  addLdapServer,
  deleteLdapServer,
  deleteMissingLdapAccounts,
  editLdapServer,
  getLdapServer,
  listLdapServerNames,
  listLdapServers,
  restoreLdapServers,
  syncLdapServer,
  testLdapServer,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { LdapServerService } from './ldap-server.service.ts';

@Controller()
export class LdapServerController {
  constructor(private readonly servers: LdapServerService) {}

  @Handle(listLdapServers) list({ query }: RouteInput<typeof listLdapServers>) {
    return this.servers.list(query);
  }
  @Handle(listLdapServerNames) names() {
    return this.servers.names();
  }
  @Handle(getLdapServer) get({ params }: RouteInput<typeof getLdapServer>) {
    return this.servers.get(params.id);
  }
  @Handle(addLdapServer) add({ body }: RouteInput<typeof addLdapServer>) {
    return this.servers.add(body);
  }
  @Handle(editLdapServer) edit({ body }: RouteInput<typeof editLdapServer>) {
    return this.servers.edit(body);
  }
  @Handle(deleteLdapServer) delete({ query }: RouteInput<typeof deleteLdapServer>) {
    return this.servers.delete(query.id);
  }
  @Handle(restoreLdapServers) restore({ body }: RouteInput<typeof restoreLdapServers>) {
    return this.servers.restore(body.ids);
  }
  @Handle(testLdapServer) test({ body }: RouteInput<typeof testLdapServer>) {
    return this.servers.test(body);
  }
  @Handle(syncLdapServer) sync({ body }: RouteInput<typeof syncLdapServer>) {
    return this.servers.sync(body.id);
  }
  @Handle(deleteMissingLdapAccounts) deleteMissing({ body }: RouteInput<typeof deleteMissingLdapAccounts>) {
    return this.servers.deleteMissing(body.id);
  }
}
