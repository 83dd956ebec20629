import { Controller } from '@nestjs/common';
import { listSiteNames, placeDevices, previewSite, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { SiteService } from './site.service.ts';

@Controller()
export class SiteController {
  constructor(private readonly sites: SiteService) {}

  @Handle(listSiteNames) listNames() {
    return this.sites.listNames();
  }
  @Handle(previewSite) preview({ query }: RouteInput<typeof previewSite>) {
    return this.sites.preview(query.siteId, query.segments);
  }
  @Handle(placeDevices) place({ body }: RouteInput<typeof placeDevices>) {
    return this.sites.place(body);
  }
}
