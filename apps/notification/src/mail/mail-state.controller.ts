import { Controller } from '@nestjs/common';
import {
  getCompanyMail,
  getMailStatus,
  getOwnMail,
  getUserMail,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { companySession, Database, platform, transaction } from '@carillon/persistence';
import { context, runAs } from '@carillon/tenancy';
import { Handle } from '@carillon/service';
import { lastMail, mailStatus } from './mail.queries.ts';

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

  @Handle(getMailStatus)
  status({ params: { id } }: RouteInput<typeof getMailStatus>): Promise<RouteReturn<typeof getMailStatus>> {
    return platform(this.database, 'whether a mail of unknown company was sent', () => mailStatus(id));
  }

  /** For a user of another company, requested by its creator. */
  @Handle(getCompanyMail)
  company({ params: { id, userId } }: RouteInput<typeof getCompanyMail>): Promise<RouteReturn<typeof getCompanyMail>> {
    return runAs({ ...context(), companyId: id, orgIds: '*' }, () =>
      transaction(this.database, companySession(id), () => lastMail(userId), { readOnly: true }),
    );
  }
}
