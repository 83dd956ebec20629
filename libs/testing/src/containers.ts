/**
 * Test servers from Docker images with testcontainers (`./carillon test service --containers`). They have the same
 * ports and controls as local servers, so that a test does not depend on the kind.
 */
import { freePort } from '@carillon/devtools/free-port';
import { serverImages } from '@carillon/devtools/server-images';
import type { StartedNetwork, StartedTestContainer } from 'testcontainers';

/** Whether the tests use servers from images. */
export const inContainers = process.env['CARILLON_TEST_SERVERS'] === 'containers';

export interface ContainerOptions {
  image: keyof typeof serverImages;
  /** Port inside the container. */
  port: number;
  /** Port on 127.0.0.1, kept over restarts; a free one when absent. */
  hostPort?: number;
  environment?: Record<string, string>;
  command?: readonly string[];
  /** Folders in memory, with their mount options. */
  memory?: Record<string, string>;
  /** Local folders by their path in the container. */
  folders?: Record<string, string>;
  /** Name for other containers of `network`; it must be unique on the engine. */
  name?: string;
  network?: StartedNetwork;
  /** Resolves to true once the server serves at this port of 127.0.0.1. */
  serves(port: number): Promise<boolean>;
}

/** A server in its container. */
export interface ServerContainer {
  readonly port: number;
  /** Resolves when its first run has ended for any reason. */
  readonly ended: Promise<void>;
  /** Sends SIGKILL and keeps the container's data. */
  kill(): Promise<void>;
  /** Starts it again on the same port after `kill` or `end`, and waits until it serves. */
  start(): Promise<void>;
  /** Shuts it down in order and keeps the container's data. */
  end(withinMs: number): Promise<void>;
  /** Stops its processes like SIGSTOP: it accepts connections and answers nothing. */
  pause(): Promise<void>;
  unpause(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/**
 * Starts a network on which containers find each other by name. The engine may have no bridge of its own (docker.ts).
 */
export async function startNetwork(): Promise<StartedNetwork> {
  const { Network } = await import('testcontainers');
  return new Network().start();
}

/** Starts a server from its image and waits up to 120 s until it serves. */
export async function startContainer(options: ContainerOptions): Promise<ServerContainer> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const port = options.hostPort ?? (await freePort());
  const network = options.network ?? (await startNetwork());
  const removeNetwork = async (): Promise<void> => {
    if (options.network === undefined) await network.stop();
  };
  /** Binds the server to loopback, so that no other machine can reach it. */
  class LoopbackContainer extends GenericContainer {
    protected override async beforeContainerCreated(): Promise<void> {
      const bindings = (this.hostConfig.PortBindings ?? {}) as Record<string, { HostIp?: string }[]>;
      for (const binding of Object.values(bindings).flat()) binding.HostIp = '127.0.0.1';
    }
  }
  // No alias: testcontainers would first create such a container on the engine's own bridge.
  const wanted = new LoopbackContainer(serverImages[options.image])
    .withNetwork(network)
    .withExposedPorts({ container: options.port, host: port })
    .withEnvironment(options.environment ?? {})
    .withTmpFs(options.memory ?? {})
    .withBindMounts(Object.entries(options.folders ?? {}).map(([target, source]) => ({ source, target })))
    // The readiness check below asks the server itself.
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
