import { Controller } from '@nestjs/common';
import {
  addApiToken,
  closeApiAccess,
  getApiAccess,
  listApiTokens,
  openApiAccess,
  revokeApiToken,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ApiTokens } from './api-token.service.ts';

@Controller()
export class ApiTokenController {
  constructor(private readonly tokens: ApiTokens) {}

  @Handle(getApiAccess)
  access(): Promise<RouteReturn<typeof getApiAccess>> {
    return this.tokens.access();
  }

  @Handle(openApiAccess)
  async open(): Promise<null> {
    await this.tokens.set(true);
    return null;
  }

  @Handle(closeApiAccess)
  async close(): Promise<null> {
    await this.tokens.set(false);
    return null;
  }

  @Handle(listApiTokens)
  list({ query }: RouteInput<typeof listApiTokens>): Promise<RouteReturn<typeof listApiTokens>> {
    return this.tokens.list(query);
  }

  @Handle(addApiToken)
  add({ body }: RouteInput<typeof addApiToken>): Promise<RouteReturn<typeof addApiToken>> {
    return this.tokens.add(body);
  }

  @Handle(revokeApiToken)
  async revoke({ params }: RouteInput<typeof revokeApiToken>): Promise<null> {
    await this.tokens.revoke(params.id);
    return null;
  }
}
