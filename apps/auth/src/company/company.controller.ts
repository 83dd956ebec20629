import { Controller } from '@nestjs/common';
import { addCompany, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { CompanyService } from './company.service.ts';

@Controller()
export class CompanyController {
  constructor(private readonly companies: CompanyService) {}

  @Handle(addCompany)
  add({ body }: RouteInput<typeof addCompany>): Promise<RouteReturn<typeof addCompany>> {
    return this.companies.add(body);
  }
}
