import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  getDeviceConfig,
  getDeviceConfigAddress,
  listConfigRequests,
  loadDeviceConfig,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { DeviceConfigService } from './device-config.service.ts';

@Controller()
export class DeviceConfigController {
  constructor(private readonly configs: DeviceConfigService) {}

  @Handle(getDeviceConfig) get({ params }: RouteInput<typeof getDeviceConfig>) {
    return this.configs.get(params.id);
  }
  @Handle(getDeviceConfigAddress) address({ params }: RouteInput<typeof getDeviceConfigAddress>) {
    return this.configs.address(params.id);
  }
  @Handle(listConfigRequests) asked({ params }: RouteInput<typeof listConfigRequests>) {
    return this.configs.asked(params.id);
  }

  @Handle(loadDeviceConfig)
  async load(
    { params }: RouteInput<typeof loadDeviceConfig>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | null> {
    const { headers } = request;
    const { text, contentType, etag, isUnchanged } = await this.configs.load(params.token, params.file, {
      userAgent: headers['user-agent'] ?? '',
      address: context().address ?? '',
      etag: headers['if-none-match'],
    });
    void reply.header('etag', etag).header('content-type', contentType);
    if (isUnchanged) {
      void reply.status(304);
      return null;
    }
    const bytes = Buffer.from(text);
    void reply.header('content-length', bytes.length);
    return bytes;
  }
}
