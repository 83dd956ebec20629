import { Controller } from '@nestjs/common';
import {
  activateByLink,
  activateByPassword,
  checkLink,
  confirmEmail,
  forgotPassword,
  requestEmailChange,
  resendEmailChange,
  resendForgotPassword,
  resetPassword,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { AccountService } from './account.service.ts';

@Controller()
export class AccountLinkController {
  constructor(private readonly accounts: AccountService) {}

  @Handle(forgotPassword)
  forgot({ body }: RouteInput<typeof forgotPassword>): Promise<RouteReturn<typeof forgotPassword>> {
    return this.accounts.forgot(body.name);
  }

  @Handle(resendForgotPassword)
  resend({ body }: RouteInput<typeof resendForgotPassword>): Promise<RouteReturn<typeof resendForgotPassword>> {
    return this.accounts.resend(body.ticket);
  }

  @Handle(checkLink)
  check({ body }: RouteInput<typeof checkLink>): Promise<RouteReturn<typeof checkLink>> {
    return this.accounts.check(body.kind, body.token);
  }

  @Handle(resetPassword)
  async reset({ body }: RouteInput<typeof resetPassword>): Promise<null> {
    await this.accounts.resetPassword(body.token, body.newPassword);
    return null;
  }

  @Handle(activateByLink)
  async activate({ body }: RouteInput<typeof activateByLink>): Promise<null> {
    await this.accounts.activate(body.token, body.newPassword);
    return null;
  }

  @Handle(activateByPassword)
  async activateByPassword({ body }: RouteInput<typeof activateByPassword>): Promise<null> {
    await this.accounts.activateByPassword(body.username, body.password, body.newPassword);
    return null;
  }

  @Handle(requestEmailChange)
  requestEmail({ body }: RouteInput<typeof requestEmailChange>): Promise<RouteReturn<typeof requestEmailChange>> {
    return this.accounts.requestEmail(body.email, body.password);
  }

  @Handle(resendEmailChange)
  resendEmail(): Promise<RouteReturn<typeof resendEmailChange>> {
    return this.accounts.resendEmail();
  }

  @Handle(confirmEmail)
  confirmEmail({ body }: RouteInput<typeof confirmEmail>): Promise<RouteReturn<typeof confirmEmail>> {
    return this.accounts.confirmEmail(body.token);
  }
}
