import { Controller } from '@nestjs/common';
import {
  bindChannel,
  editChannel,
  getChannel,
  getChannelRoom,
  listChannels,
  offerChannel,
  setChannelStatus,
  unbindChannel,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfChannels } from './channel.queries.ts';
import { ChannelService } from './channel.service.ts';

@Controller()
export class ChannelController {
  constructor(private readonly channels: ChannelService) {}

  @Handle(listChannels) list({ query }: RouteInput<typeof listChannels>) {
    return pageOfChannels(query);
  }
  @Handle(getChannelRoom) room() {
    return this.channels.room();
  }
  @Handle(getChannel) get({ params }: RouteInput<typeof getChannel>) {
    return this.channels.get(params.id);
  }
  @Handle(editChannel) edit({ body }: RouteInput<typeof editChannel>) {
    return this.channels.edit(body);
  }
  @Handle(setChannelStatus) status({ body }: RouteInput<typeof setChannelStatus>) {
    return this.channels.setStatus(body);
  }
  @Handle(offerChannel) offer() {
    return this.channels.offer();
  }
  @Handle(bindChannel) bind({ body }: RouteInput<typeof bindChannel>) {
    return this.channels.bind(body);
  }
  @Handle(unbindChannel) unbind({ body }: RouteInput<typeof unbindChannel>) {
    return this.channels.unbind(body.id);
  }
}
