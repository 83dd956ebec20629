import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A network between two programs on loopback that a test can break. */
export interface TcpProxy {
  readonly port: number;
  /** Target port; may be set after the proxy's own port is known. */
  target: number;
  /** Delay of each chunk of bytes, in both directions. */
  delayMs: number;
  /** Nothing passes and nothing is refused, like a network that drops packets. Held bytes pass when it ends. */
  stalled: boolean;
  /**
   * Drops the next answer from the target and its connection; `then stall` also stalls afterwards. Resets itself to
   * false.
   */
  swallow: boolean | 'then stall';
  /** Breaks every connection. Returns how many there were. */
  cut(): number;
  close(): Promise<void>;
}

export async function startProxy(target = 0): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  const waiting: (() => void)[] = [];
  let stalled = false;
  const pass = (from: Socket, to: Socket, proxy: TcpProxy): void => {
    let last: Promise<unknown> = Promise.resolve();
    from.on('data', (chunk) => {
      if (proxy.swallow && from.remotePort === proxy.target) {
        if (proxy.swallow === 'then stall') proxy.stalled = true;
        proxy.swallow = false;
        from.destroy();
        return;
      }
      if (proxy.delayMs === 0 && !stalled) {
        if (!to.write(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
        return;
      }
      const due = performance.now() + proxy.delayMs;
      last = last.then(async () => {
        if (stalled)
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
          });
        const left = due - performance.now();
        if (left > 0)
          await new Promise((resolve) => {
            setTimeout(resolve, left);
          });
        to.write(chunk);
      });
    });
  };
  const server = createServer((client) => {
    const upstream = connect(proxy.target, '127.0.0.1');
    const pair: [Socket, Socket] = [client, upstream];
    pairs.add(pair);
    for (const s of pair) {
      s.setNoDelay(true);
      s.on('error', () => undefined).on('close', () => {
        pairs.delete(pair);
        client.destroy();
        upstream.destroy();
      });
    }
    pass(client, upstream, proxy);
    pass(upstream, client, proxy);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const proxy: TcpProxy = {
    port: (server.address() as AddressInfo).port,
    target,
    delayMs: 0,
    swallow: false,
    get stalled() {
      return stalled;
    },
    set stalled(value) {
      stalled = value;
      if (!value) for (const go of waiting.splice(0)) go();
    },
    cut() {
      const all = [...pairs];
      for (const pair of all) for (const s of pair) s.destroy();
      return all.length;
    },
    async close() {
      proxy.stalled = false;
      proxy.cut();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return proxy;
}
