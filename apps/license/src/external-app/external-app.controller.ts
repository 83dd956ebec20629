import { Controller } from '@nestjs/common';
import {
  addExternalApp,
  deleteExternalApp,
  editExternalApp,
  listExternalApps,
  type ExternalApp,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ExternalAppService } from './external-app.service.ts';

@Controller()
export class ExternalAppController {
  constructor(private readonly apps: ExternalAppService) {}

  @Handle(listExternalApps)
  list(): Promise<ExternalApp[]> {
    return this.apps.list();
  }

  @Handle(addExternalApp)
  add({ body }: RouteInput<typeof addExternalApp>): Promise<ExternalApp> {
    return this.apps.add(body);
  }

  @Handle(editExternalApp)
  edit({ body }: RouteInput<typeof editExternalApp>): Promise<ExternalApp> {
    return this.apps.edit(body);
  }

  @Handle(deleteExternalApp)
  async delete({ params }: RouteInput<typeof deleteExternalApp>): Promise<null> {
    await this.apps.delete(params.id);
    return null;
  }
}
