import { z } from 'zod';
import { route } from '../define/route.ts';
import { email } from '../auth/user.schemas.ts';
import { mailServerFacts, mailServerInput } from '../license/config.schemas.ts';

/** The mail server of a company without its password: only whether there is one. */
const companyMailServer = mailServerFacts.extend({ enabled: z.boolean() }).meta({ id: 'CompanyMailServer' });
const errors = ['config.hostWrong', 'config.senderWrong', 'config.targetRefused', 'mail.serverNarrowed'] as const;

/** Returns the server that sends the company's own mails (NOTE-03). */
export const getMailServer = route({
  method: 'GET',
  path: '/api/f/notification/mailServer',
  summary: 'Email server of the own company, and whether the installation has one',
  permission: 'mailServer',
  audit: 'none',
  response: z.object({ server: companyMailServer.nullable(), installation: z.boolean() }),
  errors: [],
});

/** Edits the server. Without a password the stored one stays if the server is the same. */
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

/** Sends a test mail at once, through the server in the form; without a password it uses the stored one. */
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
