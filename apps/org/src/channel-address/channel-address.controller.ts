import { Controller } from '@nestjs/common';
import {
  addChannelAddress,
  deleteChannelAddress,
  editChannelAddress,
  getChannelAddress,
  listChannelAddresses,
  listChannelAddressNames,
  restoreChannelAddresses,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { addressNames, pageOfAddresses } from './channel-address.queries.ts';
import { ChannelAddressService } from './channel-address.service.ts';

@Controller()
export class ChannelAddressController {
  constructor(private readonly addresses: ChannelAddressService) {}

  @Handle(listChannelAddresses) list({ query }: RouteInput<typeof listChannelAddresses>) {
    return pageOfAddresses(query);
  }
  @Handle(listChannelAddressNames) names() {
    return addressNames();
  }
  @Handle(getChannelAddress) get({ params }: RouteInput<typeof getChannelAddress>) {
    return this.addresses.get(params.id);
  }
  @Handle(addChannelAddress) add({ body }: RouteInput<typeof addChannelAddress>) {
    return this.addresses.add(body);
  }
  @Handle(editChannelAddress) edit({ body }: RouteInput<typeof editChannelAddress>) {
    return this.addresses.edit(body);
  }
  @Handle(deleteChannelAddress) delete({ query }: RouteInput<typeof deleteChannelAddress>) {
    return this.addresses.delete(query.id);
  }
  @Handle(restoreChannelAddresses) restore({ body }: RouteInput<typeof restoreChannelAddresses>) {
    return this.addresses.restore(body.ids);
  }
}
