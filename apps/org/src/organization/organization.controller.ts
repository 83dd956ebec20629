import { Controller } from '@nestjs/common';
import { listOrganizationNames } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { Handle } from '@carillon/service';

@Controller()
export class OrganizationController {
  /** What the organization switcher offers: the policies leave the user's own. */
  @Handle(listOrganizationNames)
  async names(): Promise<{ id: string; name: string }[]> {
    return (await currentSql().query<{ id: string; name: string }>('select id, name from organization order by lower(name), id')).rows;
  }
}
