import { createHash } from 'node:crypto';
import { refusedWith, RedirectFault, type RedirectMaker, type RedirectSession } from './redirect-maker.ts';
import { checkAnswer, rpc } from './xml-rpc.ts';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const call = (session: RedirectSession, method: string, params: (string | string[])[]) =>
  rpc(session, md5(md5(session.account.secret)), `redirect.${method}`, params);

function faultOf(text: string, { account }: RedirectSession, server: URL): RedirectFault {
  if (/mac_format_error/.test(text)) return new RedirectFault('redirectService.macWrong');
  if (/url_format_error/.test(text)) return new RedirectFault('redirectService.urlRefused', { server: server.origin });
  if (/device_had_existed/.test(text)) return new RedirectFault('redirectService.ownedByOther');
  return refusedWith(text, account);
}

/** Returns the name of the service's group for a server: all devices that are sent there share it. */
const groupOf = (server: URL): string =>
  `carillon-${createHash('sha256').update(server.href).digest('hex').slice(0, 12)}`;
/** Numbers of the service for protocols. */
const protocols: Record<string, number> = { 'http:': 4, 'https:': 5 };

async function addGroup(session: RedirectSession, group: string, server: URL): Promise<void> {
  if (session.memory.get('group') === group) return;
  const { ok, text } = await call(session, 'addMaterialServer', [
    [
      `cfgName=${group}`,
      // The phone asks when it starts.
      'cfgPfMode=1',
      'cfgDhcpOpt=false',
      'cfgPnpEnable=false',
      `cfgPfSrv=${server.host}`,
      'cfgPfName=$mac.cfg',
      `cfgPfProt=${protocols[server.protocol]}`,
    ],
  ]);
  if (!ok && !/server_had_existed/.test(text)) throw faultOf(text, session, server);
  session.memory.set('group', group);
}

/** Fanvil FDPS: XML-RPC. A device belongs to a group, which has the server. */
export const fanvilFdps: RedirectMaker = {
  async register(session, mac, server) {
    const group = groupOf(server);
    const register = async () => {
      await addGroup(session, group, server);
      return call(session, 'registerDevice', [mac, group]);
    };
    let result = await register();
    if (!result.ok && /server_not_exist/.test(result.text)) {
      // The group was deleted at the service meanwhile.
      session.memory.delete('group');
      result = await register();
    }
    if (!result.ok && /device_had_existed/.test(result.text)) {
      // It may be in another group of this account; only the owner can take it out.
      await call(session, 'deRegisterDevice', [mac]);
      result = await register();
    }
    if (!result.ok) throw faultOf(result.text, session, server);
  },
  async remove(session, mac) {
    const { ok, text } = await call(session, 'deRegisterDevice', [mac]);
    // Unknown there, or of another account.
    if (!ok && !/exist|mac_format|owner|device/i.test(text)) throw refusedWith(text, session.account);
  },
  async check(session) {
    checkAnswer(await call(session, 'checkDevice', ['0c383e000000']), session.account);
  },
};
