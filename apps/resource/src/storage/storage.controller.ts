import { Controller } from '@nestjs/common';
import { getStorage } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { StorageService } from './storage.service.ts';

@Controller()
export class StorageController {
  constructor(private readonly storage: StorageService) {}

  @Handle(getStorage) get() {
    return this.storage.get();
  }
}
