import { Controller } from '@nestjs/common';
import { authAccess, deviceState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { DeviceCopy, UserCopy } from './content.entity.ts';

/** Who and what is in each organization: counted here, so that nobody is asked while a call waits. */
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
