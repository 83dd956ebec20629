import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  addDeviceExport,
  deleteDeviceExport,
  getDeviceExport,
  getDeviceExportFile,
  listDeviceExports,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ExportService } from './export.service.ts';

@Controller()
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  @Handle(addDeviceExport) add({ body }: RouteInput<typeof addDeviceExport>) {
    return this.exports.add(body);
  }
  @Handle(listDeviceExports) list() {
    return this.exports.list();
  }
  @Handle(getDeviceExport) get({ params }: RouteInput<typeof getDeviceExport>) {
    return this.exports.get(params.id);
  }
  @Handle(deleteDeviceExport) remove({ params }: RouteInput<typeof deleteDeviceExport>) {
    return this.exports.remove(params.id);
  }

  @Handle(getDeviceExportFile)
  async file(
    { params }: RouteInput<typeof getDeviceExportFile>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const bytes = await this.exports.file(params.id);
    void reply
      .header('content-type', getDeviceExportFile.file)
      .header('content-disposition', 'attachment; filename="devices.xlsx"')
      .header('cache-control', 'no-store');
    return bytes;
  }
}
