import { finished } from 'node:stream';
import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  getDeviceConfig,
  getDeviceConfigAddress,
  listConfigRequests,
  loadDeviceConfig,
  type RouteInput,
} from '@carillon/contracts';
import { fail, Handle } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { configAnswer } from './config-answer.ts';
import { ConfigLoads } from './config-loads.service.ts';
import { DeviceConfigService } from './device-config.service.ts';

@Controller()
export class DeviceConfigController {
  constructor(
    private readonly configs: DeviceConfigService,
    private readonly loads: ConfigLoads,
  ) {}

  @Handle(getDeviceConfig) get({ params }: RouteInput<typeof getDeviceConfig>) {
    return this.configs.get(params.id);
  }
  @Handle(getDeviceConfigAddress) address({ params }: RouteInput<typeof getDeviceConfigAddress>) {
    return this.configs.address(params.id);
  }
  @Handle(listConfigRequests) asked({ params }: RouteInput<typeof listConfigRequests>) {
    return this.configs.asked(params.id);
  }

  /** Serves phones that have the address of the API gateway; the others use the port for phones. */
  @Handle(loadDeviceConfig)
  async load(
    { params }: RouteInput<typeof loadDeviceConfig>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer | null> {
    const by = { userAgent: request.headers['user-agent'] ?? '', address: context().address ?? '' };
    const opened = this.loads.open(params.token, params.file, by);
    const found = typeof opened === 'string' ? opened : await this.loads.load(opened, by);
    if (found === 'tooMany') return fail('common.tooMany', { seconds: 60 });
    if (found === 'unknown') return fail('common.notFound');
    const { status, headers, body, outcome } = configAnswer(request.method, request.headers, found.file);
    finished(reply.raw, (error) => found.ended(error ? 'partial' : outcome));
    void reply.status(status).headers(headers);
    return body;
  }
}
