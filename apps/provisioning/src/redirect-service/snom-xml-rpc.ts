import { refusedWith, RedirectFault, type RedirectMaker, type RedirectSession } from './redirect-maker.ts';
import { checkAnswer, rpc } from './xml-rpc.ts';

const call = (session: RedirectSession, method: string, params: string[]) =>
  rpc(session, session.account.secret, `redirect.${method}`, params);
const ownedByOther = /owned_by_other_user/;

/** Snom's redirect service over XML-RPC, for accounts without a key of the REST interface. */
export const snomXmlRpc: RedirectMaker = {
  async register(session, mac, server) {
    const { ok, text } = await call(session, 'registerPhone', [mac.toUpperCase(), server.href]);
    if (ok) return;
    if (ownedByOther.test(text)) throw new RedirectFault('redirectService.ownedByOther');
    if (/malformed_mac/.test(text)) throw new RedirectFault('redirectService.macWrong');
    if (/malformed_url/.test(text)) throw new RedirectFault('redirectService.urlRefused', { server: server.origin });
    throw refusedWith(text, session.account);
  },
  async remove(session, mac) {
    const { ok, text } = await call(session, 'deregisterPhone', [mac.toUpperCase()]);
    if (!ok && !ownedByOther.test(text) && !/malformed_mac|not_registered|unregistered|unknown/i.test(text))
      throw refusedWith(text, session.account);
  },
  async check(session) {
    checkAnswer(await call(session, 'getPhoneRedirection', ['000413000000']), session.account);
  },
};
