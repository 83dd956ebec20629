import { Controller } from '@nestjs/common';
import { bladeUserInfo, getUserInfo } from '@carillon/contracts';
import { context } from '@carillon/tenancy';
import { found, Handle } from '@carillon/service';
import { userInfoRow, type UserInfoRow } from './user.queries.ts';

/** Both paths that the spec's section 7 prints. */
@Controller()
export class UserController {
  @Handle(getUserInfo)
  async info(): Promise<UserInfoRow> {
    return found(await userInfoRow(context().userId!));
  }

  @Handle(bladeUserInfo)
  bladeInfo(): Promise<UserInfoRow> {
    return this.info();
  }
}
