/**
 * Servers of the tests from Docker images by testcontainers (`./carillon test service --containers`), with the ports and
 * the controls that the servers of this machine have: a test does not know which of the two it got.
 */
import { freePort } from '@carillon/devtools/free-port';
import { serverImages } from '@carillon/devtools/server-images';
import type { StartedNetwork, StartedTestContainer } from 'testcontainers';

/** Whether the tests take their servers from images. */
export const inContainers = process.env['CARILLON_TEST_SERVERS'] === 'containers';

export interface ContainerOptions {
  image: keyof typeof serverImages;
  /** Where the server listens in its container. */
  port: number;
  /** Where it is reached on 127.0.0.1, also after a restart; absent: a free one. */
  hostPort?: number;
  environment?: Record<string, string>;
  command?: readonly string[];
  /** Folders that are kept in memory, with their mount options. */
  memory?: Record<string, string>;
  /** Folders of this machine, by where they are in the container. */
  folders?: Record<string, string>;
  /** How the other containers of `network` find it: no other container of the engine may have the name. */
  name?: string;
  network?: StartedNetwork;
  /** Resolves to true once the server serves at this port of 127.0.0.1. */
  serves(port: number): Promise<boolean>;
}

/** A server in its container. */
export interface ServerContainer {
  readonly port: number;
  /** Resolves when its first run has ended, asked or not. */
  readonly ended: Promise<void>;
  /** SIGKILL; what its container holds stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port after `kill` or `end`, and waits until it serves. */
  start(): Promise<void>;
  /** Ends it in an orderly way; what its container holds stays. */
  end(withinMs: number): Promise<void>;
  /** Stops its processes as SIGSTOP does: connections are taken and nothing is answered. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Ends it and removes what it held. */
  remove(): Promise<void>;
}

/** A network on which containers find each other by name. The engine's own bridge may not be there (docker.ts). */
export async function startNetwork(): Promise<StartedNetwork> {
  const { Network } = await import('testcontainers');
  return new Network().start();
}

/** Starts a server from its image and waits, 120 s at most, until it serves. */
export async function startContainer(options: ContainerOptions): Promise<ServerContainer> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const port = options.hostPort ?? (await freePort());
  const network = options.network ?? (await startNetwork());
  const removeNetwork = async (): Promise<void> => {
    if (options.network === undefined) await network.stop();
  };
  /** Nobody else on the network of this machine reaches a server of the tests. */
  class LoopbackContainer extends GenericContainer {
    protected override async beforeContainerCreated(): Promise<void> {
      const bindings = (this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string }[]>;
      for (const binding of Object.values(bindings).flat()) binding.HostIp = '127.0.0.1';
    }
  }
  // No alias: with one, testcontainers makes it on the engine's own bridge first.
  const wanted = new LoopbackContainer(serverImages[options.image])
    .withNetwork(network)
    .withExposedPorts({ container: options.port, host: port })
    .withEnvironment(options.environment ?? {})
    .withTmpFs(options.memory ?? {})
    .withBindMounts(Object.entries(options.folders ?? {}).map(([target, source]) => ({ source, target })))
    // Whether it serves is asked below, of the server itself.
    .withWaitStrategy(Wait.forLogMessage(/(?:)/))
    .withStartupTimeout(120_000);
  if (options.name !== undefined) wanted.withName(options.name);
  if (options.command !== undefined) wanted.withCommand([...options.command]);
  let started: StartedTestContainer;
  try {
    started = await wanted.start();
  } catch (error) {
    await removeNetwork();
    throw error;
  }
  const container = (await getContainerRuntimeClient()).container.getById(started.getId());
  const untilServing = async (): Promise<void> => {
    for (const until = Date.now() + 120_000; !(await options.serves(port).catch(() => false));) {
      const { State } = await container.inspect();
      if (!State.Running || Date.now() > until) {
        const said = (await container.logs({ stdout: true, stderr: true, tail: 20 })).toString();
        throw new Error(`${serverImages[options.image]} does not serve (${State.Status}):\n${said}`);
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  };
  const server: ServerContainer = {
    port,
    ended: container.wait().then(
      () => undefined,
      // The engine itself has ended.
      () => undefined,
    ),
    async kill() {
      if (!(await container.inspect()).State.Running) return;
      await container.kill();
      await container.wait();
    },
    async start() {
      await container.start();
      await untilServing();
    },
    async end(withinMs) {
      await container.stop({ t: Math.ceil(withinMs / 1_000) });
    },
    pause: async () => void (await container.pause()),
    unpause: async () => void (await container.unpause()),
    async remove() {
      await container.remove({ force: true, v: true });
      await removeNetwork();
    },
  };
  try {
    await untilServing();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}
