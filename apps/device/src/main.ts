import { runService } from '@carillon/service';
import { deviceService } from './device.module.ts';
await runService(deviceService);
