import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  addConfigFile,
  deleteConfigFile,
  editConfigFile,
  getConfigFile,
  getConfigFileContent,
  listConfigFiles,
  restoreConfigFiles,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { sendFile } from '../store/send-file.ts';
import { ConfigFileService } from './config-file.service.ts';

@Controller()
export class ConfigFileController {
  constructor(private readonly configs: ConfigFileService) {}

  @Handle(listConfigFiles) list({ query }: RouteInput<typeof listConfigFiles>) {
    return this.configs.list(query);
  }
  @Handle(getConfigFile) get({ params }: RouteInput<typeof getConfigFile>) {
    return this.configs.get(params.id);
  }
  @Handle(addConfigFile) add({ body }: RouteInput<typeof addConfigFile>) {
    return this.configs.add(body);
  }
  @Handle(editConfigFile) edit({ body }: RouteInput<typeof editConfigFile>) {
    return this.configs.edit(body);
  }
  @Handle(deleteConfigFile) delete({ query }: RouteInput<typeof deleteConfigFile>) {
    return this.configs.delete(query.id);
  }
  @Handle(restoreConfigFiles) restore({ body }: RouteInput<typeof restoreConfigFiles>) {
    return this.configs.restore(body.ids);
  }
  @Handle(getConfigFileContent)
  async content(
    { params }: RouteInput<typeof getConfigFileContent>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendFile(await this.configs.file(params.id), this.configs.files, request, reply);
  }
}
