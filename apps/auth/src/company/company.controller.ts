import { Controller } from '@nestjs/common';
import {
  addCompany,
  getCompanyAdministrator,
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
}
