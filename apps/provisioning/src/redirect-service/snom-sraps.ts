import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { hawkHeader } from './hawk.ts';
import {
  refusedWith,
  RedirectFault,
  type RedirectAnswer,
  type RedirectCall,
  type RedirectMaker,
  type RedirectSession,
} from './redirect-maker.ts';

const token = z.object({ links: z.object({ company: z.string() }) });
const company = z.object({ links: z.object({ endpoints: z.string() }) });
const settings = z.array(z.object({ uuid: z.string(), param_name: z.string() }));
interface SettingPage {
  value: z.infer<typeof settings>;
  /** The header that names the next page. */
  link: string;
}
/** The setting of a phone that has the address of its server. */
const settingName = 'setting_server';
/** The list of settings is long. */
const mostSettings = 4_194_304;
const mostPages = 4;

function call(
  { account, send }: RedirectSession,
  method: RedirectCall['method'],
  url: URL,
  value?: unknown,
  mostBytes?: number,
): Promise<RedirectAnswer> {
  const body = value === undefined ? '' : JSON.stringify(value);
  const contentType = value === undefined ? '' : 'application/json';
  const nonce = randomBytes(12).toString('base64url');
  const key = { id: account.userName, key: account.secret };
  return send({
    method,
    url,
    headers: {
      accept: 'application/json',
      authorization: hawkHeader(key, { method, url, body, contentType }, Date.now(), nonce),
      ...(value === undefined ? {} : { 'content-type': contentType }),
    },
    ...(value === undefined ? {} : { body }),
    ...(mostBytes === undefined ? {} : { mostBytes }),
  });
}

const wrong = () => new RedirectFault('redirectService.answerWrong');

/** Returns an address from an answer. A signed call goes to the host of the account only. */
function linkOf({ account }: RedirectSession, text: string): URL {
  const url = URL.parse(text, account.address.href);
  if (url?.origin !== account.address.origin) throw wrong();
  return url;
}

async function read<T>(
  session: RedirectSession,
  url: URL,
  schema: z.ZodType<T>,
  mostBytes?: number,
): Promise<{ value: T; link: string }> {
  const { status, text, headers } = await call(session, 'GET', url, undefined, mostBytes);
  if (status === 403) throw new RedirectFault('redirectService.accessRefused');
  if (status !== 200) throw wrong();
  try {
    return { value: schema.parse(JSON.parse(text)), link: String(headers['link'] ?? '') };
  } catch {
    throw wrong();
  }
}

/** Returns the address of the account's list of phones, with a slash at its end. */
async function endpointsOf(session: RedirectSession): Promise<URL> {
  const { memory, account } = session;
  const known = memory.get('endpoints');
  if (known !== undefined) return new URL(known);
  const { value: own } = await read(
    session,
    new URL(`tokens/${encodeURIComponent(account.userName)}`, base(session)),
    token,
  );
  const { value: of } = await read(session, linkOf(session, own.links.company), company);
  const { href } = linkOf(session, of.links.endpoints);
  memory.set('endpoints', href.endsWith('/') ? href : `${href}/`);
  return new URL(memory.get('endpoints')!);
}

const base = ({ account: { address } }: RedirectSession): string =>
  address.href.endsWith('/') ? address.href : `${address.href}/`;

/** Returns the id of the setting, from a list in pages. */
async function settingOf(session: RedirectSession): Promise<string> {
  const known = session.memory.get('setting');
  if (known !== undefined) return known;
  let url: URL | undefined = new URL('settings/?page_size=1000', base(session));
  for (let page = 0; url !== undefined && page < mostPages; page++) {
    const { value, link }: SettingPage = await read(session, url, settings, mostSettings);
    const found = value.find((setting) => setting.param_name === settingName);
    if (found) {
      session.memory.set('setting', found.uuid);
      return found.uuid;
    }
    const next: string | undefined = /<([^<>]+)>;\s*rel="next"/.exec(link)?.[1];
    url = next === undefined ? undefined : linkOf(session, next);
  }
  throw wrong();
}

function faultOf({ status, text }: RedirectAnswer, session: RedirectSession): RedirectFault {
  // Repeated signs in an answer are no reason to search it long.
  const words = text.slice(0, 2_000).toLowerCase();
  if (/taken_mac|permission to endpoint/.test(words)) return new RedirectFault('redirectService.ownedByOther');
  if (status === 403) return new RedirectFault('redirectService.accessRefused');
  if (status === 400 && words.includes('mac')) return new RedirectFault('redirectService.macWrong');
  return refusedWith(text, session.account);
}

/** Snom SRAPS: REST with calls that are signed by Hawk. */
export const snomSraps: RedirectMaker = {
  async register(session, mac, server) {
    const setting = await settingOf(session);
    const url = new URL(mac, await endpointsOf(session));
    const answer = await call(session, 'PUT', url, {
      mac,
      autoprovisioning_enabled: true,
      settings_manager: { [setting]: { value: server.href, attrs: { perm: 'RW' } } },
    });
    if (answer.status >= 300) throw faultOf(answer, session);
  },
  async remove(session, mac) {
    const answer = await call(session, 'DELETE', new URL(mac, await endpointsOf(session)));
    if (answer.status < 300 || answer.status === 404) return;
    const fault = faultOf(answer, session);
    if (fault.key !== 'redirectService.ownedByOther') throw fault;
  },
  async check(session) {
    session.memory.delete('endpoints');
    await endpointsOf(session);
  },
};
