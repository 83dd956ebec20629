import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  addResourceFile,
  deleteResourceFile,
  editResourceFile,
  getResourceFile,
  getResourceFileContent,
  listResourceFiles,
  restoreResourceFiles,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { sendFile } from '../store/send-file.ts';
import { ResourceFileService } from './resource-file.service.ts';

@Controller()
export class ResourceFileController {
  constructor(private readonly resources: ResourceFileService) {}

  @Handle(listResourceFiles) list({ query }: RouteInput<typeof listResourceFiles>) {
    return this.resources.list(query);
  }
  @Handle(getResourceFile) get({ params }: RouteInput<typeof getResourceFile>) {
    return this.resources.get(params.id);
  }
  @Handle(addResourceFile) add({ body }: RouteInput<typeof addResourceFile>) {
    return this.resources.add(body);
  }
  @Handle(editResourceFile) edit({ body }: RouteInput<typeof editResourceFile>) {
    return this.resources.edit(body);
  }
  @Handle(deleteResourceFile) delete({ query }: RouteInput<typeof deleteResourceFile>) {
    return this.resources.delete(query.id);
  }
  @Handle(restoreResourceFiles) restore({ body }: RouteInput<typeof restoreResourceFiles>) {
    return this.resources.restore(body.ids);
  }
  @Handle(getResourceFileContent)
  async content(
    { params }: RouteInput<typeof getResourceFileContent>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendFile(await this.resources.file(params.id, params.number), this.resources.files, request, reply);
  }
}
