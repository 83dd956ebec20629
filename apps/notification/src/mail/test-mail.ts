import { Failure, OutboundTests } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { renderMail } from './render.ts';
import { handOver, wordsOf } from './mail.service.ts';
import type { MailSettings } from './settings.ts';

/** Short, because a user waits for the result. */
const testDeadlineMs = 20_000;
const tests = new OutboundTests();

/** A failure: `words` for a company, `message` for the operator of the installation. */
interface TestFailure {
  code: string | undefined;
  responseCode: number | undefined;
  words: string;
  message: string;
}

/** Sends a mail to the caller through the server in a form, to test it before it is saved. */
export async function sendTestMail(
  server: Omit<MailSettings, 'stored' | 'user'> & { user: string | null },
  address: string,
  to: string,
): Promise<TestFailure | undefined> {
  const who = context();
  const settings = { ...server, user: server.user ?? undefined, stored: true };
  try {
    await tests.run(() =>
      handOver(settings, address, testDeadlineMs, {
        from: server.from,
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderMail('test', who.language, { name: who.username, host: server.host }),
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof Failure) throw error;
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
