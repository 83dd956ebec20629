import { Controller } from '@nestjs/common';
import { addSite, deleteSite, editSite, getSite, listSites, restoreSites, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { SiteService } from './site.service.ts';

@Controller()
export class SiteController {
  constructor(private readonly sites: SiteService) {}

  @Handle(listSites) list({ query }: RouteInput<typeof listSites>) {
    return this.sites.list(query);
  }
  @Handle(getSite) get({ params }: RouteInput<typeof getSite>) {
    return this.sites.get(params.id);
  }
  @Handle(addSite) add({ body }: RouteInput<typeof addSite>) {
    return this.sites.add(body);
  }
  @Handle(editSite) edit({ body }: RouteInput<typeof editSite>) {
    return this.sites.edit(body);
  }
  @Handle(deleteSite) delete({ query }: RouteInput<typeof deleteSite>) {
    return this.sites.delete(query.id);
  }
  @Handle(restoreSites) restore({ body }: RouteInput<typeof restoreSites>) {
    return this.sites.restore(body.ids);
  }
}
