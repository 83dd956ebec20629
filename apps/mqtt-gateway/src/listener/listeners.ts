import { Certificates } from '@carillon/service/certificates';
import type { ListenerKind, MqttGatewayConfig } from '../config.ts';
import type { Log } from '../log.ts';
import type { Listener } from './listener.ts';
import { TrustedProxies } from './proxy-header.ts';
import { StreamListener } from './stream-listener.ts';
import { TcpListener } from './tcp-listener.ts';

/** Returns the configured listeners in their order. Throws with a sentence when a certificate cannot be read. */
export function listenersOf(config: MqttGatewayConfig, log: Log): Listener[] {
  const proxies = new TrustedProxies(config.proxyFrom, config.proxyCertificates === 'trust');
  const secure = config.mqttListen.some((kind) => kind === 'tls' || kind === 'wss');
  if (secure && (config.tlsCertificate === '' || config.tlsKey === ''))
    throw new Error('tls and wss need tlsCertificate and tlsKey');
  const certificates = secure
    ? new Certificates(
        {
          certificate: config.tlsCertificate,
          key: config.tlsKey,
          clientCa: config.tlsClientCa,
          clientRequired: config.tlsClient === 'required',
        },
        log,
      )
    : undefined;
  const { host, tlsHost, webSocketPath, shared } = config;
  const make: Record<ListenerKind, () => Listener> = {
    tcp: () => new TcpListener(host, config.port, proxies, shared),
    tls: () => new StreamListener({ host: tlsHost, port: config.tlsPort, certificates, proxies, shared }),
    ws: () => new StreamListener({ host, port: config.webSocketPort, webSocketPath, proxies, shared }),
    wss: () =>
      new StreamListener({
        host: tlsHost,
        port: config.secureWebSocketPort,
        certificates,
        webSocketPath,
        proxies,
        shared,
      }),
  };
  return config.mqttListen.map((kind) => make[kind]());
}
