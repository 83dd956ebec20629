import { Controller } from '@nestjs/common';
import {
  addChannel,
  addCompany,
  editChannelAccount,
  getChannelActivation,
  getCompanyAdministrator,
  resendChannelActivation,
  resendCompanyActivation,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { CompanyAccountService } from './company-account.service.ts';
import { CompanyService } from './company.service.ts';

@Controller()
export class CompanyController {
  constructor(
    private readonly companies: CompanyService,
    private readonly accounts: CompanyAccountService,
  ) {}

  @Handle(addCompany)
  add({ body }: RouteInput<typeof addCompany>): Promise<RouteReturn<typeof addCompany>> {
    return this.companies.add(body);
  }

  @Handle(getCompanyAdministrator)
  administrator({
    params,
  }: RouteInput<typeof getCompanyAdministrator>): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    return this.accounts.administrator(params.id);
  }

  @Handle(resendCompanyActivation)
  async resend({ params }: RouteInput<typeof resendCompanyActivation>): Promise<null> {
    await this.accounts.resendActivation(params.id);
    return null;
  }

  @Handle(addChannel)
  addChannel({ body }: RouteInput<typeof addChannel>): Promise<RouteReturn<typeof addChannel>> {
    return this.companies.addChannel(body);
  }

  @Handle(editChannelAccount)
  editAccount({ body }: RouteInput<typeof editChannelAccount>): Promise<null> {
    return this.accounts.editAccount(body);
  }

  @Handle(resendChannelActivation)
  resendChannel({ params }: RouteInput<typeof resendChannelActivation>): Promise<null> {
    return this.accounts.resendChannelActivation(params.id);
  }

  @Handle(getChannelActivation)
  channelActivation({
    params,
  }: RouteInput<typeof getChannelActivation>): Promise<RouteReturn<typeof getChannelActivation>> {
    return this.accounts.channelActivation(params.id);
  }
}
