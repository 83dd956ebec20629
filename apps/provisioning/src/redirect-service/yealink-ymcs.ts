import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  basicAuth,
  refusedWith,
  RedirectFault,
  type RedirectAnswer,
  type RedirectMaker,
  type RedirectSession,
} from './redirect-maker.ts';

const tokenAnswer = z.object({ access_token: z.string().min(1) });
const added = z.object({
  successCount: z.number().default(0),
  errors: z.array(z.object({ errorInfo: z.string().default('') })).nullish(),
});
const refusal = z.object({ code: z.coerce.string().optional(), message: z.string().optional() });

const post = ({ account, send }: RedirectSession, path: string, authorization: string, value: unknown) =>
  send({
    method: 'POST',
    url: new URL(path, account.address),
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization,
      timestamp: String(Date.now()),
      nonce: randomBytes(16).toString('hex'),
    },
    body: JSON.stringify(value),
  });

function parsed<T>(text: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new RedirectFault('redirectService.answerWrong');
  }
}

/** Signs in with the account's id and secret, and keeps the token. */
async function tokenOf(session: RedirectSession): Promise<string> {
  const known = session.memory.get('token');
  if (known !== undefined) return known;
  const { userName, secret } = session.account;
  const answer = await post(session, '/v2/token', basicAuth(userName, secret), { grant_type: 'client_credentials' });
  if (answer.status >= 400) throw new RedirectFault('redirectService.credentialsWrong');
  const token = parsed(answer.text, tokenAnswer).access_token;
  session.memory.set('token', token);
  return token;
}

async function call(session: RedirectSession, path: string, value: unknown): Promise<RedirectAnswer> {
  const send = async () => post(session, `/v2/rps/${path}`, `Bearer ${await tokenOf(session)}`, value);
  if (!session.memory.has('token')) return send();
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof RedirectFault && error.key === 'redirectService.credentialsWrong')) throw error;
    // The kept token has ended.
    session.memory.delete('token');
    return send();
  }
}

function faultOf(words: string, session: RedirectSession): RedirectFault {
  if (/800001|mac\.invalid|invalid mac/i.test(words)) return new RedirectFault('redirectService.macWrong');
  if (/80000[34]|already (?:managed|exists)/i.test(words)) return new RedirectFault('redirectService.ownedByOther');
  return refusedWith(words, session.account);
}

/** Returns why an answer as a whole is an error; undefined when it is not. */
function refused({ status, text }: RedirectAnswer, session: RedirectSession): RedirectFault | undefined {
  if (status < 300) return undefined;
  if (status === 403) return new RedirectFault('redirectService.accessRefused');
  const { code = '', message = '' } = parsed(text, refusal);
  if (code === '900403' || code === '900501') return new RedirectFault('redirectService.accessRefused');
  return faultOf(`${code} ${message}`.trim(), session);
}

const remove = async (session: RedirectSession, mac: string): Promise<void> => {
  const answer = await call(session, 'delDevices', { deviceIdType: 'mac', deviceIds: [mac] });
  const fault = refused(answer, session);
  // Errors for the MAC itself: it is unknown there, or of another account.
  if (fault && !['redirectService.macWrong', 'redirectService.ownedByOther'].includes(fault.key)) throw fault;
};

const add = async (session: RedirectSession, mac: string, server: URL): Promise<RedirectFault | undefined> => {
  const answer = await call(session, 'addDevicesByMac', [{ mac, uniqueServerUrl: server.href, remark: 'Carillon' }]);
  const fault = refused(answer, session);
  if (fault) return fault;
  const { successCount, errors } = parsed(answer.text, added);
  return successCount > 0 ? undefined : faultOf(errors?.[0]?.errorInfo ?? '', session);
};

/** Yealink Management Cloud Service, its redirect part: REST with a token. */
export const yealinkYmcs: RedirectMaker = {
  async register(session, mac, server) {
    let fault = await add(session, mac, server);
    if (fault?.key === 'redirectService.ownedByOther') {
      // It may be in this account with another address: only the owner can take it off.
      await remove(session, mac);
      fault = await add(session, mac, server);
    }
    if (fault) throw fault;
  },
  remove,
  async check(session) {
    session.memory.delete('token');
    const fault = refused(await call(session, 'listDevices', { skip: 0, limit: 1, autoCount: false }), session);
    if (fault) throw fault;
  },
};
