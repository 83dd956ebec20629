import { Controller } from '@nestjs/common';
import {
  addRole,
  deleteRoles,
  editRole,
  getRole,
  listRoleNames,
  listRoles,
  restoreRoles,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { RoleService, type RoleRecord } from './role.service.ts';

@Controller()
export class RoleController {
  constructor(private readonly roles: RoleService) {}

  @Handle(listRoles)
  list({ query }: RouteInput<typeof listRoles>): Promise<RouteReturn<typeof listRoles>> {
    return this.roles.list(query);
  }

  @Handle(listRoleNames)
  listNames(): Promise<RouteReturn<typeof listRoleNames>> {
    return this.roles.listNames();
  }

  @Handle(getRole)
  get({ params }: RouteInput<typeof getRole>): Promise<RoleRecord> {
    return this.roles.get(params.id);
  }

  @Handle(addRole)
  add({ body }: RouteInput<typeof addRole>): Promise<RoleRecord> {
    return this.roles.add(body);
  }

  @Handle(editRole)
  edit({ body }: RouteInput<typeof editRole>): Promise<RoleRecord> {
    return this.roles.edit(body);
  }

  @Handle(deleteRoles)
  async delete({ query }: RouteInput<typeof deleteRoles>): Promise<{ deleted: number }> {
    return { deleted: await this.roles.delete(query.ids) };
  }

  @Handle(restoreRoles)
  async restore({ body }: RouteInput<typeof restoreRoles>): Promise<{ restored: number }> {
    return { restored: await this.roles.restore(body.ids) };
  }
}
