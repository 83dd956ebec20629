import { runService } from '@carillon/service';
import { provisioningService } from './provisioning.module.ts';
await runService(provisioningService);
