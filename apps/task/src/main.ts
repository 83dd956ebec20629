import { runService } from '@carillon/service';
import { taskService } from './task.module.ts';
await runService(taskService);
