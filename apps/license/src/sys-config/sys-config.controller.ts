import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  addSysConfig,
  editSysConfig,
  getImportTypes,
  getLegalText,
  getSysConfig,
  getSystemInfo,
  getSystemPicture,
  type RouteInput,
  type RouteReturn,
  type SystemInfo,
} from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { Handle } from '@carillon/service';
import { SysConfigService } from './sys-config.service.ts';

/** The calls (SYS-06), and the pictures. */
@Controller()
export class SysConfigController {
  constructor(
    private readonly configs: SysConfigService,
    private readonly database: Database,
  ) {}

  @Handle(getSysConfig)
  detail({ query }: RouteInput<typeof getSysConfig>): Promise<RouteReturn<typeof getSysConfig>> {
    return this.configs.detail(query.configKey);
  }

  @Handle(getSystemInfo)
  info(): Promise<SystemInfo> {
    return transaction(this.database, companySession(null), () => this.configs.info(), { readOnly: true });
  }

  @Handle(getImportTypes)
  importTypes(): Promise<string[]> {
    return this.configs.importTypes();
  }

  /** The URL contains the version, so a browser requests each picture once. */
  @Handle(getSystemPicture)
  async picture(
    { params }: RouteInput<typeof getSystemPicture>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const { bytes, type } = await transaction(
      this.database,
      companySession(null),
      () => this.configs.picture(params.name),
      { readOnly: true },
    );
    void reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-length', bytes.length);
    return bytes;
  }

  @Handle(getLegalText)
  async legal({ params }: RouteInput<typeof getLegalText>): Promise<RouteReturn<typeof getLegalText>> {
    return {
      texts: await transaction(this.database, companySession(null), () => this.configs.detail(params.name), {
        readOnly: true,
      }).then((d) => d.value as RouteReturn<typeof getLegalText>['texts']),
    };
  }

  @Handle(addSysConfig)
  add({ body }: RouteInput<typeof addSysConfig>): Promise<RouteReturn<typeof addSysConfig>> {
    return this.configs.save(body);
  }

  @Handle(editSysConfig)
  edit({ body }: RouteInput<typeof editSysConfig>): Promise<RouteReturn<typeof editSysConfig>> {
    return this.configs.save(body);
  }
}
