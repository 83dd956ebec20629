import { z } from 'zod';
import { route } from '../define/route.ts';
import { email } from '../auth/user.schemas.ts';
import { mailServerFacts, mailServerInput } from '../license/config.schemas.ts';

/** The mail server of a company as it is read: of the password only whether there is one. */
const companyMailServer = mailServerFacts.extend({ enabled: z.boolean() }).meta({ id: 'CompanyMailServer' });
const errors = ['config.hostWrong', 'config.senderWrong', 'config.targetRefused', 'mail.serverNarrowed'] as const;

/** By which a company's own mails go (NOTE-03). */
export const getMailServer = route({
  method: 'GET',
  path: '/api/f/notification/mailServer',
  summary: 'Email server of the own company, and whether the installation has one',
  permission: 'mailServer',
  audit: 'none',
  response: z.object({ server: companyMailServer.nullable(), installation: z.boolean() }),
  errors: [],
});

/** Without a password the stored one stays, as long as it is for the same server. */
export const editMailServer = route({
  method: 'PUT',
  path: '/api/f/notification/mailServer',
  summary: 'Save the email server of the own company',
  permission: 'editMailServer',
  audit: 'mailServer.edit',
  body: mailServerInput.extend({ enabled: z.boolean() }),
  response: companyMailServer,
  errors,
});

export const deleteMailServer = route({
  method: 'DELETE',
  path: '/api/f/notification/mailServer',
  summary: 'Remove the email server of the own company',
  permission: 'editMailServer',
  audit: 'mailServer.delete',
  response: z.null(),
  errors: ['mail.serverNarrowed'],
});

/** Sent at once, by the server as it stands in the form: without a password by the stored one. */
export const testMailServer = route({
  method: 'POST',
  path: '/api/f/notification/mailServer/test',
  summary: 'Send a test mail by an email server of the own company',
  permission: 'editMailServer',
  audit: 'mailServer.test',
  ownTransaction: true,
  body: z.strictObject({ to: email, server: mailServerInput }),
  response: z.null(),
  errors: [...errors, 'config.testFailed', 'user.emailInvalid'],
});
