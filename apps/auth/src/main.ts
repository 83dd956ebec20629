import { runService } from '@carillon/service';
import { authService } from './auth.module.ts';
await runService(authService);
