import { runService } from '@carillon/service';
import { orgService } from './org.module.ts';
await runService(orgService);
