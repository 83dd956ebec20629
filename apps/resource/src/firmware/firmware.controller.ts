import { Controller, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  addFirmware,
  addFirmwareDelta,
  addOfficialFirmware,
  addOfficialFirmwareDelta,
  deleteFirmware,
  deleteFirmwareDelta,
  deleteOfficialFirmware,
  deleteOfficialFirmwareDelta,
  editFirmware,
  editOfficialFirmware,
  getFirmware,
  getFirmwareContent,
  listFirmware,
  makeFirmwareDelta,
  makeOfficialFirmwareDelta,
  restoreFirmware,
  restoreFirmwareDelta,
  restoreOfficialFirmware,
  restoreOfficialFirmwareDelta,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { DeltaService } from '../delta/delta.service.ts';
import { sendFile } from '../store/send-file.ts';
import { firmwarePage } from './firmware-list.queries.ts';
import { FirmwareService } from './firmware.service.ts';

@Controller()
export class FirmwareController {
  constructor(
    private readonly firmware: FirmwareService,
    private readonly deltas: DeltaService,
  ) {}

  @Handle(listFirmware) list({ query }: RouteInput<typeof listFirmware>) {
    return firmwarePage(query);
  }
  @Handle(getFirmware) get({ params }: RouteInput<typeof getFirmware>) {
    return this.firmware.get(params.id);
  }
  @Handle(addFirmware) add({ body }: RouteInput<typeof addFirmware>) {
    return this.firmware.add('mine', body);
  }
  @Handle(editFirmware) edit({ body }: RouteInput<typeof editFirmware>) {
    return this.firmware.edit('mine', body);
  }
  @Handle(deleteFirmware) delete({ query }: RouteInput<typeof deleteFirmware>) {
    return this.firmware.delete('mine', query.id);
  }
  @Handle(restoreFirmware) restore({ body }: RouteInput<typeof restoreFirmware>) {
    return this.firmware.restore('mine', body.ids);
  }
  @Handle(addOfficialFirmware) addOfficial({ body }: RouteInput<typeof addOfficialFirmware>) {
    return this.firmware.add('official', body);
  }
  @Handle(editOfficialFirmware) editOfficial({ body }: RouteInput<typeof editOfficialFirmware>) {
    return this.firmware.edit('official', body);
  }
  @Handle(deleteOfficialFirmware) deleteOfficial({ query }: RouteInput<typeof deleteOfficialFirmware>) {
    return this.firmware.delete('official', query.id);
  }
  @Handle(restoreOfficialFirmware) restoreOfficial({ body }: RouteInput<typeof restoreOfficialFirmware>) {
    return this.firmware.restore('official', body.ids);
  }
  @Handle(addFirmwareDelta) addDelta({ body }: RouteInput<typeof addFirmwareDelta>) {
    return this.firmware.addDelta('mine', body);
  }
  @Handle(makeFirmwareDelta) makeDelta({ body }: RouteInput<typeof makeFirmwareDelta>) {
    return this.deltas.order('mine', body);
  }
  @Handle(deleteFirmwareDelta) deleteDelta({ query }: RouteInput<typeof deleteFirmwareDelta>) {
    return this.firmware.deleteDelta('mine', query);
  }
  @Handle(addOfficialFirmwareDelta) addOfficialDelta({ body }: RouteInput<typeof addOfficialFirmwareDelta>) {
    return this.firmware.addDelta('official', body);
  }
  @Handle(makeOfficialFirmwareDelta) makeOfficialDelta({ body }: RouteInput<typeof makeOfficialFirmwareDelta>) {
    return this.deltas.order('official', body);
  }
  @Handle(deleteOfficialFirmwareDelta) deleteOfficialDelta({ query }: RouteInput<typeof deleteOfficialFirmwareDelta>) {
    return this.firmware.deleteDelta('official', query);
  }
  @Handle(restoreFirmwareDelta) restoreDelta({ body }: RouteInput<typeof restoreFirmwareDelta>) {
    return this.firmware.restoreDelta('mine', body);
  }
  @Handle(restoreOfficialFirmwareDelta) restoreOfficialDelta({
    body,
  }: RouteInput<typeof restoreOfficialFirmwareDelta>) {
    return this.firmware.restoreDelta('official', body);
  }
  @Handle(getFirmwareContent)
  async content(
    { params }: RouteInput<typeof getFirmwareContent>,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return sendFile(await this.firmware.file(params.id), this.firmware.files, request, reply);
  }
}
