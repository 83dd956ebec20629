import { afterAll, afterEach } from 'vitest';
import type { Way } from '../testing/raw-device.ts';
import { Rig, macOf } from '../testing/rig.ts';
import { TestAuthority } from '../testing/test-authority.ts';

export const mac = macOf(1);

/** Creates an authority for the certificates of gateways. Stops the gateway after each test. */
export function startListeners() {
  /** The gateway of the current test. */
  const tested = {} as { rig: Rig };
  const authority = new TestAuthority();
  const server = authority.sign('gateway');
  const tls: { tlsCertificate: string; tlsKey: string; tlsClientCa: string } = {
    tlsCertificate: server.certFile,
    tlsKey: server.keyFile,
    tlsClientCa: authority.caFile,
  };
  afterAll(() => authority.remove());
  afterEach(() => tested.rig.stop());

  const start = async (settings: Record<string, unknown> = {}): Promise<void> => {
    tested.rig = await Rig.start({ mqttListen: 'tcp,tls,ws,wss', ...tls, connectBurst: 100_000, ...settings });
  };
  /** All ways to connect, with the header of a proxy where there is one. */
  const ways = (): Record<string, Way & { kind: string }> => ({
    tcp: { kind: 'tcp' },
    tls: { kind: 'tls', tls: { ca: authority.ca } },
    ws: { kind: 'ws', webSocket: { path: '/mqtt' } },
    wss: { kind: 'wss', tls: { ca: authority.ca }, webSocket: { path: '/mqtt' } },
  });
  return { authority, tested, start, ways };
}
