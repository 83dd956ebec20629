import { runService } from '@carillon/service';
import { licenseService } from './license.module.ts';
await runService(licenseService);
