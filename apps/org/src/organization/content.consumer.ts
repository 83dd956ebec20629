import { Controller } from '@nestjs/common';
import { authAccess, deviceState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';

/** Who and what is in each organization: counted here, so that nobody is asked while a call waits. */
@Controller()
export class ContentConsumer {
  @On(authAccess, ['access'])
  async users(messages: Message<typeof authAccess>[]): Promise<void> {
    await project(
      {
        table: 'user_copy',
        id: 'id',
        columns: {
          company_id: 'uuid',
          username: 'text',
          nickname: 'text',
          all_orgs: 'boolean',
          org_ids: 'uuid[]',
          default_org_id: 'uuid',
        },
      },
      messages,
      (u) => ({
        company_id: u.companyId,
        username: u.username,
        nickname: u.nickname,
        all_orgs: u.allOrgs ?? false,
        org_ids: `{${u.allOrgs ? '' : u.orgIds.join(',')}}`,
        default_org_id: u.defaultOrgId,
      }),
    );
  }

  @On(deviceState, ['device'])
  async devices(messages: Message<typeof deviceState>[]): Promise<void> {
    await project(
      { table: 'device_copy', id: 'id', columns: { company_id: 'uuid', org_id: 'uuid' } },
      messages,
      (device, { companyId }) => ({ company_id: companyId, org_id: device.orgId }),
    );
  }
}
