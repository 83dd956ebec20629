import { Controller } from '@nestjs/common';
import {
  addRedirectService,
  deleteRedirectService,
  editRedirectService,
  getDeviceRedirect,
  listRedirectDevices,
  listRedirectServices,
  retryRedirects,
  testRedirectService,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { redirectDevicePage } from './redirect-service.queries.ts';
import { RedirectServices } from './redirect-service.service.ts';

@Controller()
export class RedirectServiceController {
  constructor(private readonly services: RedirectServices) {}

  @Handle(listRedirectServices) list() {
    return this.services.list();
  }
  @Handle(addRedirectService) add({ body }: RouteInput<typeof addRedirectService>) {
    return this.services.add(body);
  }
  @Handle(editRedirectService) edit({ body }: RouteInput<typeof editRedirectService>) {
    return this.services.edit(body);
  }
  @Handle(deleteRedirectService) delete({ query }: RouteInput<typeof deleteRedirectService>) {
    return this.services.delete(query.id);
  }
  @Handle(testRedirectService) test({ body }: RouteInput<typeof testRedirectService>) {
    return this.services.test(body);
  }
  @Handle(listRedirectDevices) devices({ query }: RouteInput<typeof listRedirectDevices>) {
    return redirectDevicePage(query);
  }
  @Handle(retryRedirects) retry({ body }: RouteInput<typeof retryRedirects>) {
    return this.services.retry(body);
  }
  @Handle(getDeviceRedirect) device({ params }: RouteInput<typeof getDeviceRedirect>) {
    return this.services.ofDevice(params.id);
  }
}
