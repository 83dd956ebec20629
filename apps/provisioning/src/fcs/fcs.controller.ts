import { Controller } from '@nestjs/common';
import { getFcs } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { FcsService } from './fcs.service.ts';

@Controller()
export class FcsController {
  constructor(private readonly fcs: FcsService) {}

  @Handle(getFcs) get() {
    return this.fcs.get();
  }
}
