import { Controller } from '@nestjs/common';
import { getCompanyMail, getOwnMail, getUserMail, type RouteInput, type RouteReturn } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context, runAs } from '@carillon/tenancy';
import { Handle } from '@carillon/service';
import { lastMail } from './mail.queries.ts';

/** Returns the delivery state of mails. */
@Controller()
export class MailStateController {
  constructor(private readonly database: Database) {}

  @Handle(getUserMail)
  user({ params }: RouteInput<typeof getUserMail>): Promise<RouteReturn<typeof getUserMail>> {
    return lastMail(params.id);
  }

  @Handle(getOwnMail)
  own(): Promise<RouteReturn<typeof getOwnMail>> {
    return lastMail(context().userId!);
  }

  /** For a user of another company, requested by its creator. */
  @Handle(getCompanyMail)
  company({ params: { id, userId } }: RouteInput<typeof getCompanyMail>): Promise<RouteReturn<typeof getCompanyMail>> {
    return runAs({ ...context(), companyId: id, orgIds: '*' }, () =>
      transaction(this.database, companySession(id), () => lastMail(userId), { readOnly: true }),
    );
  }
}
