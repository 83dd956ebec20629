import { xmlText } from '../vendor/xml-text.ts';
import { basicAuth, RedirectFault, refusedWith, type RedirectAccount, type RedirectSession } from './redirect-maker.ts';

export interface RpcResult {
  ok: boolean;
  text: string;
  /** The service did not perform the call. */
  isFault?: true;
}

/** Longest text of a result that is searched for words, which may repeat in it without end. */
const longestText = 2_000;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text
    .replace(/<!\[CDATA\[|\]\]>/g, '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
    .trim();
const valueOf = (param: string | readonly string[]): string =>
  typeof param === 'string'
    ? `<value><string>${xmlText(param)}</string></value>`
    : `<value><array><data>${param.map(valueOf).join('')}</data></array></value>`;

/** Returns the document of a call (XML-RPC, 1999). */
export const rpcCall = (method: string, params: readonly (string | readonly string[])[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<methodCall><methodName>${method}</methodName><params>${params
    .map((param) => `<param>${valueOf(param)}</param>`)
    .join('')}</params></methodCall>`;

/**
 * Returns a result as the redirect services give it: an array of a boolean and a text, which may be without a type.
 * Undefined when it is none. A fault of the protocol is a failed result.
 */
export function readRpc(document: string): RpcResult | undefined {
  if (!document.includes('<methodResponse')) return undefined;
  if (document.includes('<fault>')) {
    const words = /<name>\s*faultString\s*<\/name>\s*<value>(?:\s*<string>)?([^<]*)/.exec(document)?.[1];
    return { ok: false, isFault: true, text: unescaped(words ?? '') };
  }
  const ok = /<boolean>\s*(\d|true|false)\s*<\/boolean>/i.exec(document);
  if (!ok) return undefined;
  const rest = document.slice(ok.index + ok[0].length);
  const text = /<value>(?:\s*<string>)?((?:[^<]|<!\[CDATA\[)*)/.exec(rest)?.[1] ?? '';
  return { ok: ok[1] === '1' || ok[1]!.toLowerCase() === 'true', text: unescaped(text) };
}

/** Calls a method with basic authentication. Throws when the answer is no result. */
export async function rpc(
  { account, send }: Pick<RedirectSession, 'account' | 'send'>,
  password: string,
  method: string,
  params: readonly (string | readonly string[])[],
): Promise<RpcResult> {
  const { status, text } = await send({
    method: 'POST',
    url: account.address,
    headers: { 'content-type': 'text/xml', authorization: basicAuth(account.userName, password) },
    body: rpcCall(method, params),
  });
  if (status === 403) throw new RedirectFault('redirectService.accessRefused');
  const result = status === 200 ? readRpc(text) : undefined;
  if (!result) throw new RedirectFault('redirectService.answerWrong');
  return { ...result, text: result.text.slice(0, longestText) };
}

/** Checks the answer to a question about a MAC that nobody has. A failed result is an answer, a fault is none. */
export function checkAnswer({ isFault, text }: RpcResult, account: RedirectAccount): void {
  if (isFault) throw refusedWith(text, account);
}
