import { Controller } from '@nestjs/common';
import { licenseApp, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';

/** External apps stand in the menu of those who may see them (SYS-10); open browsers hear of it. */
@Controller()
export class ExternalAppConsumer {
  @On(licenseApp, ['app'])
  async copy(messages: Message<typeof licenseApp>[]): Promise<void> {
    const { changed } = await project(
      {
        table: 'external_app_copy',
        id: 'id',
        columns: { company_id: 'uuid', name: 'text', address: 'text', icon: 'text', role_ids: 'uuid[]' },
      },
      messages,
      (app, { companyId }) => ({
        company_id: companyId,
        name: app.name,
        address: app.address,
        icon: app.icon,
        role_ids: app.roleIds && `{${app.roleIds.join(',')}}`,
      }),
    );
    if (changed > 0) await emitLive(messages[0]!.companyId!, 'menu', ['menu'], null);
  }
}
