import { Controller } from '@nestjs/common';
import { deleteDeliveries, listDeliveries, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfDeliveries } from './delivery.queries.ts';
import { DeliveryService } from './delivery.service.ts';

@Controller()
export class DeliveryController {
  constructor(private readonly deliveries: DeliveryService) {}

  @Handle(listDeliveries) list({ query }: RouteInput<typeof listDeliveries>) {
    return pageOfDeliveries(query);
  }
  @Handle(deleteDeliveries) remove({ query }: RouteInput<typeof deleteDeliveries>) {
    return this.deliveries.remove(query.ids);
  }
}
