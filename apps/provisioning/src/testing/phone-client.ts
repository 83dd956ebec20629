import { request as plainRequest, type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';
import { connect } from 'node:net';

export interface PhoneAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}
export interface PhoneRequest {
  method?: string;
  body?: string;
  headers?: OutgoingHttpHeaders;
  /** Address of this machine that the request comes from. */
  from?: string;
  agent?: Agent;
  /** Certificate, PEM, that the server of an HTTPS port must have. */
  ca?: string;
  /** Certificate and key of the phone, PEM. */
  own?: { cert: string; key: string };
}

/** Sends a request like a phone: plain HTTP, every byte as given. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', body, headers, from, agent, ca, own }: PhoneRequest = {},
) {
  return new Promise<PhoneAnswer>((resolve, reject) => {
    (ca === undefined ? plainRequest : secureRequest)(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: agent ?? false,
        ...(headers ? { headers } : {}),
        ...(ca === undefined ? {} : { ca, ...own, servername: 'localhost' }),
        ...(from === undefined ? {} : { localAddress: from }),
      },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
          .on('error', reject);
      },
    )
      .on('error', reject)
      .end(body);
  });
}

/** Sends bytes over a connection of their own. Resolves with what came back when the server closes it. */
export function send(port: number, bytes: string, from = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    let got = '';
    const socket = connect({ host: '127.0.0.1', port, localAddress: from }, () => socket.write(bytes));
    socket
      .setEncoding('utf8')
      .on('data', (part: string) => (got += part))
      // A server that closes a socket with unread bytes resets it.
      .on('error', () => undefined)
      .on('close', () => resolve(got));
  });
}
