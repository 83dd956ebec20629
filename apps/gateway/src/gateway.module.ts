import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { AccessCopy } from './access/access.service.ts';
import { ProgramLog } from './access/program-log.service.ts';
import { gatewayConfig } from './config.ts';
import { ConsoleFiles } from './console/console.service.ts';
import { Downloads } from './download/download.service.ts';
import { Edge } from './edge/edge.service.ts';
import { edgeServer } from './edge/server.ts';
import { InstallationCopy } from './installation/installation.service.ts';
import { Limits } from './limit/limit.service.ts';
import { LiveHub } from './live/live.service.ts';
import { Proxy } from './proxy/proxy.service.ts';
import { Upstreams } from './proxy/upstream.service.ts';

@Module({
  providers: [
    AccessCopy,
    ProgramLog,
    Upstreams,
    Limits,
    Proxy,
    Downloads,
    LiveHub,
    ConsoleFiles,
    InstallationCopy,
    Edge,
  ],
})
export class GatewayModule {}

export const gatewayService = defineService({
  name: 'gateway',
  module: GatewayModule,
  config: gatewayConfig,
  server: edgeServer,
});
