import { outboundTests } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { renderMail } from './render.ts';
import { handOver, wordsOf } from './mail.service.ts';
import type { MailSettings } from './settings.ts';

/** Short, because a user waits for the result. */
const testDeadlineMs = 20_000;

/** A failure: `words` for a company, `message` for the operator of the installation. */
interface TestFailure {
  code: string | undefined;
  responseCode: number | undefined;
  words: string;
  message: string;
}

type TestedServer = Omit<MailSettings, 'stored' | 'user'> & { user: string | null };

/** Sends a mail to the caller through the server in a form, to test it before it is saved. Throws 429. */
export const sendTestMail = (server: TestedServer, address: string, to: string): Promise<TestFailure | undefined> =>
  outboundTests.run(() => tryServer(server, address, to));

async function tryServer(server: TestedServer, address: string, to: string): Promise<TestFailure | undefined> {
  const who = context();
  const settings = { ...server, user: server.user ?? undefined, stored: true };
  try {
    await handOver(settings, address, testDeadlineMs, {
      from: server.from,
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...renderMail('test', who.language, { name: who.username, host: server.host }),
    });
    return undefined;
  } catch (error) {
    const { code, responseCode, message, response } = error as Error & {
      code?: string;
      responseCode?: number;
      response?: string;
    };
    const ownWords = message.replace(/\s+/g, ' ').slice(0, 200);
    // A connection error may name an address of the installation.
    const safe = /\d\.\d|:\S*:/.test(ownWords) ? (code ?? '') : ownWords;
    return { code, responseCode, words: wordsOf(response) ?? safe, message: ownWords };
  }
}
