import { Controller } from '@nestjs/common';
import {
  addSipAccount,
  addSipAccountRange,
  deleteSipAccounts,
  editSipAccount,
  getSipAccount,
  listSipAccounts,
  restoreSipAccounts,
  revealSipAccount,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { PasswordService } from './password.service.ts';
import { SipAccountService } from './sip-account.service.ts';

@Controller()
export class SipAccountController {
  constructor(
    private readonly accounts: SipAccountService,
    private readonly passwords: PasswordService,
  ) {}

  @Handle(listSipAccounts) list({ query }: RouteInput<typeof listSipAccounts>) {
    return this.accounts.list(query);
  }
  @Handle(getSipAccount) get({ params }: RouteInput<typeof getSipAccount>) {
    return this.accounts.get(params.id);
  }
  @Handle(addSipAccount) add({ body }: RouteInput<typeof addSipAccount>) {
    return this.accounts.add(body);
  }
  @Handle(addSipAccountRange) addRange({ body }: RouteInput<typeof addSipAccountRange>) {
    return this.accounts.addRange(body);
  }
  @Handle(revealSipAccount) reveal({ params }: RouteInput<typeof revealSipAccount>) {
    return this.passwords.reveal(params.id);
  }
  @Handle(editSipAccount) edit({ body }: RouteInput<typeof editSipAccount>) {
    return this.accounts.edit(body);
  }
  @Handle(deleteSipAccounts) delete({ query }: RouteInput<typeof deleteSipAccounts>) {
    return this.accounts.delete(query.ids);
  }
  @Handle(restoreSipAccounts) restore({ body }: RouteInput<typeof restoreSipAccounts>) {
    return this.accounts.restore(body.ids);
  }
}
