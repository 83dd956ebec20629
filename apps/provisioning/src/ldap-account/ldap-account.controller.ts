import { Controller } from '@nestjs/common';
import { listLdapAccounts, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfAccounts } from './ldap-account.queries.ts';

/** Serves the LDAP accounts of a company (ACC-05). */
@Controller()
export class LdapAccountController {
  @Handle(listLdapAccounts) list({ query }: RouteInput<typeof listLdapAccounts>) {
    return pageOfAccounts(query);
  }
}
