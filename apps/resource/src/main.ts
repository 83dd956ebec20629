import { runService } from '@carillon/service';
import { resourceService } from './resource.module.ts';
await runService(resourceService);
