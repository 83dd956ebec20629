import { Controller } from '@nestjs/common';
import { renewImportSecrets, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { ImportSecretService } from './import-secret.service.ts';

@Controller()
export class ImportSecretController {
  constructor(private readonly secrets: ImportSecretService) {}

  @Handle(renewImportSecrets) renew(input: RouteInput<typeof renewImportSecrets>) {
    return this.secrets.renew(input);
  }
}
