import { Controller } from '@nestjs/common';
import {
  addWebhook,
  deleteWebhook,
  editWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  renewWebhookSecret,
  restoreWebhooks,
  sendWebhookAgain,
  testWebhook,
  type RouteInput,
} from '@carillon/contracts';
import { found, Handle } from '@carillon/service';
import { deliveryById, deliveryPage } from './delivery.queries.ts';
import { webhookPage } from './webhook.queries.ts';
import { Webhooks } from './webhook.service.ts';

@Controller()
export class WebhookController {
  constructor(private readonly webhooks: Webhooks) {}

  @Handle(listWebhooks) list({ query }: RouteInput<typeof listWebhooks>) {
    return webhookPage(query);
  }
  @Handle(listWebhookDeliveries) deliveries({ query }: RouteInput<typeof listWebhookDeliveries>) {
    return deliveryPage(query);
  }
  @Handle(getWebhookDelivery) async delivery({ params }: RouteInput<typeof getWebhookDelivery>) {
    return found(await deliveryById(params.id));
  }
  @Handle(sendWebhookAgain) sendAgain({ params }: RouteInput<typeof sendWebhookAgain>) {
    return this.webhooks.sendAgain(params.id);
  }
  @Handle(getWebhook) get({ params }: RouteInput<typeof getWebhook>) {
    return this.webhooks.get(params.id);
  }
  @Handle(addWebhook) add({ body }: RouteInput<typeof addWebhook>) {
    return this.webhooks.add(body);
  }
  @Handle(editWebhook) edit({ body }: RouteInput<typeof editWebhook>) {
    return this.webhooks.edit(body);
  }
  @Handle(renewWebhookSecret) renew({ params }: RouteInput<typeof renewWebhookSecret>) {
    return this.webhooks.renewSecret(params.id);
  }
  @Handle(testWebhook) test({ params }: RouteInput<typeof testWebhook>) {
    return this.webhooks.test(params.id);
  }
  @Handle(deleteWebhook) delete({ query }: RouteInput<typeof deleteWebhook>) {
    return this.webhooks.delete(query.id);
  }
  @Handle(restoreWebhooks) restore({ body }: RouteInput<typeof restoreWebhooks>) {
    return this.webhooks.restore(body.ids);
  }
}
