import { Controller } from '@nestjs/common';
import { changePassword, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { PasswordChangeService } from './password-change.service.ts';

@Controller()
export class PasswordChangeController {
  constructor(private readonly changes: PasswordChangeService) {}

  @Handle(changePassword)
  async change({ body }: RouteInput<typeof changePassword>): Promise<null> {
    await this.changes.change(body.oldPassword, body.newPassword);
    return null;
  }
}
