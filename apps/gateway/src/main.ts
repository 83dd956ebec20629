import { runService } from '@carillon/service';
import { gatewayService } from './gateway.module.ts';
await runService(gatewayService);
