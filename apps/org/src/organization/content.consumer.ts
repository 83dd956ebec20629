import { Controller } from '@nestjs/common';
import { authAccess, deviceState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { DeviceCopy, UserCopy } from './content.entity.ts';

/** Copies the users and devices of each organization, so that counting them needs no call to another service. */
@Controller()
export class ContentConsumer {
  @On(authAccess, ['access'])
  async copyUsers(messages: Message<typeof authAccess>[]): Promise<void> {
    await project(UserCopy, messages, ({ companyId, username, nickname, allOrgs = false, orgIds, defaultOrgId }) => ({
      companyId,
      username,
      nickname,
      allOrgs,
      orgIds: allOrgs ? [] : orgIds,
      defaultOrgId,
    }));
  }

  @On(deviceState, ['device'])
  async copyDevices(messages: Message<typeof deviceState>[]): Promise<void> {
    await project(DeviceCopy, messages, ({ orgId }, { companyId }) => ({ companyId: companyId!, orgId }));
  }
}
