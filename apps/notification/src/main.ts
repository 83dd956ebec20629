import { runService } from '@carillon/service';
import { notificationService } from './notification.module.ts';
await runService(notificationService);
