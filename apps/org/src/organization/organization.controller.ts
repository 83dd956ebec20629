import { raw, type QueryOrderMap } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import {
  addOrganization,
  deleteOrganization,
  editOrganization,
  getOrganization,
  listOrganizationNames,
  listOrganizations,
  listOrganizationUsers,
  organizationHasDevice,
  restoreOrganizations,
  transferOrganization,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { alphabetic, currentEntities } from '@carillon/persistence';
import { Handle } from '@carillon/service';
import { Organization } from './organization.entity.ts';
import { OrganizationService, type Contents, type OrganizationRecord } from './organization.service.ts';

@Controller()
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  /** Returns the entries of the organization switcher: policies limit them to the user's own. */
  @Handle(listOrganizationNames)
  async listNames(): Promise<{ id: string; name: string }[]> {
    const orderBy: QueryOrderMap<Organization>[] = [{ [raw(alphabetic('name'))]: 'asc' }, { id: 'asc' }];
    return (await currentEntities().findAll(Organization, { orderBy })).map(({ id, name }) => ({ id, name }));
  }

  @Handle(listOrganizations)
  list({ query }: RouteInput<typeof listOrganizations>): Promise<RouteReturn<typeof listOrganizations>> {
    return this.organizations.list(query);
  }

  @Handle(listOrganizationUsers)
  listUsers({ query }: RouteInput<typeof listOrganizationUsers>): Promise<RouteReturn<typeof listOrganizationUsers>> {
    return this.organizations.listUsers(query.orgId);
  }

  @Handle(getOrganization)
  get({ params }: RouteInput<typeof getOrganization>): Promise<OrganizationRecord> {
    return this.organizations.get(params.id);
  }

  @Handle(addOrganization)
  add({ body }: RouteInput<typeof addOrganization>): Promise<OrganizationRecord> {
    return this.organizations.add(body);
  }

  @Handle(editOrganization)
  edit({ body }: RouteInput<typeof editOrganization>): Promise<OrganizationRecord> {
    return this.organizations.edit(body);
  }

  @Handle(organizationHasDevice)
  hasDevice({ body }: RouteInput<typeof organizationHasDevice>): Promise<Contents> {
    return this.organizations.countContents(body.id);
  }

  @Handle(deleteOrganization)
  async delete({ body }: RouteInput<typeof deleteOrganization>): Promise<null> {
    await this.organizations.delete(body.id);
    return null;
  }

  @Handle(restoreOrganizations)
  async restore({ body }: RouteInput<typeof restoreOrganizations>): Promise<{ restored: number }> {
    return { restored: await this.organizations.restore(body.ids) };
  }

  @Handle(transferOrganization)
  transfer({ body }: RouteInput<typeof transferOrganization>): Promise<Contents> {
    return this.organizations.transfer(body.id, body.to);
  }
}
