import { Controller } from '@nestjs/common';
import {
  addChannelOrder,
  allocateChannelOrders,
  allocateDevices,
  countChannelOrders,
  deleteChannelOrders,
  listChannelOrders,
  listCustody,
  listOrderChannels,
  makeDevicesOfOrders,
  restoreChannelOrders,
  takeBackChannelOrders,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { channelsBelow, custodyOf, pageOfOrders, sumsOfOrders } from './channel-order.queries.ts';
import { ChannelOrderService } from './channel-order.service.ts';
import { StockService } from './stock.service.ts';

@Controller()
export class ChannelOrderController {
  constructor(
    private readonly orders: ChannelOrderService,
    private readonly stock: StockService,
  ) {}

  @Handle(listChannelOrders) list({ query }: RouteInput<typeof listChannelOrders>) {
    return pageOfOrders(query);
  }
  @Handle(countChannelOrders) count() {
    return sumsOfOrders();
  }
  @Handle(listOrderChannels) channels() {
    return channelsBelow();
  }
  @Handle(listCustody) custody({ query }: RouteInput<typeof listCustody>) {
    return custodyOf(query.mac);
  }
  @Handle(addChannelOrder) add({ body }: RouteInput<typeof addChannelOrder>) {
    return this.stock.add(body);
  }
  @Handle(deleteChannelOrders) remove({ query }: RouteInput<typeof deleteChannelOrders>) {
    return this.stock.remove(query.ids);
  }
  @Handle(restoreChannelOrders) restore({ body }: RouteInput<typeof restoreChannelOrders>) {
    return this.stock.restore(body.ids);
  }
  @Handle(allocateChannelOrders) allocate({ body }: RouteInput<typeof allocateChannelOrders>) {
    return this.orders.allocate(body);
  }
  @Handle(allocateDevices) allocateDevices({ body }: RouteInput<typeof allocateDevices>) {
    return this.orders.allocateDevices(body);
  }
  @Handle(takeBackChannelOrders) takeBack({ body }: RouteInput<typeof takeBackChannelOrders>) {
    return this.orders.takeBack(body);
  }
  @Handle(makeDevicesOfOrders) makeDevices({ body }: RouteInput<typeof makeDevicesOfOrders>) {
    return this.orders.makeDevices(body);
  }
}
