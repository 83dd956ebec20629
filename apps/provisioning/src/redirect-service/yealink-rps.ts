import { refusedWith, RedirectFault, type RedirectMaker, type RedirectSession } from './redirect-maker.ts';
import { checkAnswer, rpc } from './xml-rpc.ts';

const call = (session: RedirectSession, method: string, params: string[]) =>
  rpc(session, session.account.secret, `redirect.${method}`, params);
/** The service answers with the id of the other owner, of ten or more characters. */
const otherOwner = /^Error:\s*[a-z0-9]{10,}$/;
const wrongMac = /invalid mac|mac.*(?:format|malformed)/i;

/** Yealink's earlier redirect service: XML-RPC. */
export const yealinkRps: RedirectMaker = {
  async register(session, mac, server) {
    // The name of a server is only shown there. "1": replace an earlier registration of this account.
    const { ok, text } = await call(session, 'registerDeviceWithUniqueUrl', [mac, 'Carillon', server.href, '1']);
    if (ok) return;
    if (/url can only begin/i.test(text))
      throw new RedirectFault('redirectService.urlRefused', { server: server.origin });
    if (wrongMac.test(text)) throw new RedirectFault('redirectService.macWrong');
    if (otherOwner.test(text)) throw new RedirectFault('redirectService.ownedByOther');
    throw refusedWith(text, session.account);
  },
  async remove(session, mac) {
    const { ok, text } = await call(session, 'deRegisterDevice', [mac]);
    if (!ok && !wrongMac.test(text) && !/not exist|unregistered/i.test(text) && !otherOwner.test(text))
      throw refusedWith(text, session.account);
  },
  async check(session) {
    checkAnswer(await call(session, 'checkDevice', ['001565000000']), session.account);
  },
};
