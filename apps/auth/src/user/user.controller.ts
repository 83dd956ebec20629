import { Controller } from '@nestjs/common';
import {
  addUser,
  addUsers,
  bladeUserInfo,
  countUsers,
  deleteUsers,
  disableUsers,
  dismissHint,
  editEnterprise,
  editErpId,
  editOwnUser,
  editUser,
  enableUsers,
  getUser,
  getUserInfo,
  listUsers,
  modifyUser,
  resendActivation,
  restoreUsers,
  setAvatar,
  unlockUsers,
  type RouteInput,
  type RouteReturn,
  type UserRecord,
} from '@carillon/contracts';
import { currentDatabase, platform } from '@carillon/persistence';
import { context, type Visit } from '@carillon/tenancy';
import { found, Handle } from '@carillon/service';
import { SeveralUsers } from './several-users.service.ts';
import { UserLocks } from './lock.service.ts';
import { ProfileService } from './profile.service.ts';
import { userCounts, userPage, usersById } from './user-list.queries.ts';
import { userInfoRow, type UserInfoRow } from './user.queries.ts';
import { UserService } from './user.service.ts';

@Controller()
export class UserController {
  constructor(
    private readonly users: UserService,
    private readonly several: SeveralUsers,
    private readonly profile: ProfileService,
    private readonly locks: UserLocks,
  ) {}

  /** Both paths (SYS-06). */
  @Handle(getUserInfo)
  async info(): Promise<UserInfoRow> {
    const { visit } = context();
    return visit ? visitorInfo(visit) : found(await userInfoRow(context().userId!));
  }

  @Handle(bladeUserInfo)
  bladeInfo(): Promise<UserInfoRow> {
    return this.info();
  }

  @Handle(listUsers)
  async list({ query }: RouteInput<typeof listUsers>): Promise<RouteReturn<typeof listUsers>> {
    return userPage(query, await this.locks.locked());
  }

  @Handle(countUsers)
  async count({ query }: RouteInput<typeof countUsers>): Promise<RouteReturn<typeof countUsers>> {
    return userCounts(query, await this.locks.locked());
  }

  @Handle(getUser)
  async get({ params }: RouteInput<typeof getUser>): Promise<UserRecord> {
    return found((await usersById([params.id], await this.locks.locked()))[0], 'user.missing');
  }

  @Handle(addUser)
  add({ body }: RouteInput<typeof addUser>): Promise<UserRecord> {
    return this.users.add(body);
  }

  @Handle(addUsers)
  async addSeveral({ body }: RouteInput<typeof addUsers>): Promise<RouteReturn<typeof addUsers>> {
    return { rows: await this.several.add(body) };
  }

  @Handle(editUser)
  edit({ body }: RouteInput<typeof editUser>): Promise<UserRecord> {
    return this.users.edit(body);
  }

  @Handle(deleteUsers)
  async delete({ query }: RouteInput<typeof deleteUsers>): Promise<{ deleted: number }> {
    return { deleted: await this.users.delete(query.ids) };
  }

  @Handle(restoreUsers)
  restore({ body }: RouteInput<typeof restoreUsers>): Promise<RouteReturn<typeof restoreUsers>> {
    return this.users.restore(body.ids);
  }

  @Handle(enableUsers)
  async enable({ body }: RouteInput<typeof enableUsers>): Promise<{ changed: number }> {
    return { changed: await this.users.enable(body.ids) };
  }

  @Handle(disableUsers)
  async disable({ body }: RouteInput<typeof disableUsers>): Promise<{ changed: number }> {
    return { changed: await this.users.disable(body.ids) };
  }

  @Handle(unlockUsers)
  async unlock({ body }: RouteInput<typeof unlockUsers>): Promise<{ changed: number }> {
    return { changed: await this.users.unlock(body.ids) };
  }

  @Handle(resendActivation)
  async resend({ body }: RouteInput<typeof resendActivation>): Promise<null> {
    await this.users.resendActivation(body.id, body.password);
    return null;
  }

  @Handle(modifyUser)
  async modify({ body }: RouteInput<typeof modifyUser>): Promise<null> {
    await this.profile.timezone(body.timezoneId);
    return null;
  }

  @Handle(editEnterprise)
  enterprise({ body }: RouteInput<typeof editEnterprise>): Promise<RouteReturn<typeof editEnterprise>> {
    return this.profile.enterprise(body);
  }

  @Handle(editErpId)
  async erpId({ body }: RouteInput<typeof editErpId>): Promise<null> {
    await this.profile.erpId(body.erpId);
    return null;
  }

  @Handle(editOwnUser)
  async own({ body }: RouteInput<typeof editOwnUser>): Promise<null> {
    await this.profile.own(body);
    return null;
  }

  @Handle(dismissHint)
  async hint({ body }: RouteInput<typeof dismissHint>): Promise<null> {
    await this.profile.hint(body.hint, body.dismissed);
    return null;
  }

  @Handle(setAvatar)
  async avatar({ body }: RouteInput<typeof setAvatar>): Promise<{ avatar: string | null }> {
    return { avatar: await this.profile.avatar(body.image) };
  }
}

/** Returns a visitor's user info in a customer's company: their own identity without their own data. */
async function visitorInfo({ userId, customer }: Visit): Promise<UserInfoRow> {
  const { userId: visitId, companyId, orgId, allOrgs } = context();
  const own = await platform(currentDatabase(), 'who a visitor is', () => userInfoRow(userId));
  return {
    ...found(own),
    userId: visitId!,
    companyId,
    companyName: customer,
    orgId: orgId!,
    roles: [],
    allOrgs: allOrgs === true,
    pendingEmail: null,
    createdBy: null,
    editor: null,
    enterprise: { contact: '', phone: '', address: '', website: '' },
  };
}
