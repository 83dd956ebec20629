import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  getPhonebook,
  getPhonebookLinks,
  listPhonebookDevices,
  renewPhonebookLinks,
  withdrawPhonebookLinks,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { PhonebookService } from './phonebook.service.ts';

@Controller()
export class PhonebookController {
  constructor(private readonly phonebook: PhonebookService) {}

  @Handle(listPhonebookDevices) devices({ query }: RouteInput<typeof listPhonebookDevices>) {
    return this.phonebook.devices(query.search);
  }
  @Handle(getPhonebookLinks) links({ params }: RouteInput<typeof getPhonebookLinks>) {
    return this.phonebook.links(params.id);
  }
  @Handle(renewPhonebookLinks) renew({ body }: RouteInput<typeof renewPhonebookLinks>) {
    return this.phonebook.renew(body.id);
  }
  @Handle(withdrawPhonebookLinks) withdraw({ query }: RouteInput<typeof withdrawPhonebookLinks>) {
    return this.phonebook.withdraw(query.id);
  }

  @Handle(getPhonebook)
  async load(
    { params, query }: RouteInput<typeof getPhonebook>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const bytes = Buffer.from(await this.phonebook.load(params.token, params.file, query.search));
    void reply.header('content-type', 'text/xml; charset=utf-8').header('content-length', bytes.length);
    return bytes;
  }
}
