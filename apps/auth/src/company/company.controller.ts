import { Controller } from '@nestjs/common';
import {
  addChannel,
  addCompany,
  editChannelAccount,
  getCompanyAdministrator,
  resendChannelActivation,
  resendCompanyActivation,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { CompanyService } from './company.service.ts';

@Controller()
export class CompanyController {
  constructor(private readonly companies: CompanyService) {}

  @Handle(addCompany)
  add({ body }: RouteInput<typeof addCompany>): Promise<RouteReturn<typeof addCompany>> {
    return this.companies.add(body);
  }

  @Handle(getCompanyAdministrator)
  administrator({
    params,
  }: RouteInput<typeof getCompanyAdministrator>): Promise<RouteReturn<typeof getCompanyAdministrator>> {
    return this.companies.administrator(params.id);
  }

  @Handle(resendCompanyActivation)
  async resend({ params }: RouteInput<typeof resendCompanyActivation>): Promise<null> {
    await this.companies.resendActivation(params.id);
    return null;
  }

  @Handle(addChannel)
  addChannel({ body }: RouteInput<typeof addChannel>): Promise<RouteReturn<typeof addChannel>> {
    return this.companies.addChannel(body);
  }

  @Handle(editChannelAccount)
  editAccount({ body }: RouteInput<typeof editChannelAccount>): Promise<null> {
    return this.companies.editAccount(body);
  }

  @Handle(resendChannelActivation)
  resendChannel({ params }: RouteInput<typeof resendChannelActivation>): Promise<null> {
    return this.companies.resendChannelActivation(params.id);
  }
}
