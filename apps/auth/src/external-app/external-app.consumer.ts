import { Controller } from '@nestjs/common';
import { licenseApp, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { emitLive } from '@carillon/service';
import { ExternalAppCopy } from './external-app.entity.ts';

/**
 * Copies external apps, which appear in the menus of the users who may see them (SYS-10), and refreshes open browsers.
 */
@Controller()
export class ExternalAppConsumer {
  @On(licenseApp, ['app'])
  async copy(messages: Message<typeof licenseApp>[]): Promise<void> {
    const { changed } = await project(ExternalAppCopy, messages, ({ id: _, ...app }, { companyId }) => ({
      ...app,
      companyId: companyId!,
    }));
    if (changed > 0) await emitLive(messages[0]!.companyId!, 'menu', ['menu'], null);
  }
}
