import { Controller } from '@nestjs/common';
import { listTags, tagDevices, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { TagService } from './tag.service.ts';

@Controller()
export class TagController {
  constructor(private readonly tags: TagService) {}

  @Handle(listTags) list() {
    return this.tags.list();
  }
  @Handle(tagDevices) tag({ body }: RouteInput<typeof tagDevices>) {
    return this.tags.tag(body);
  }
}
