import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { defineConfig } from './config.ts';

/** Settings of services that connect to hosts from the console. */
export const outboundConfig = defineConfig({
  outboundAllowed: z
    .string()
    .max(4_096)
    .default('')
    .describe(
      'Servers that may be reached though they are internal or listen at an unusual port, when someone names them in the console: names, addresses or networks with commas between, each with a port where only that one is meant (mail.internal:25, 10.1.0.0/16). Public ones at the usual ports need no entry.',
    ),
});

/**
 * Addresses outside of the internet: IANA's special-purpose registry for IPv4. For IPv6 all but global unicast, and the
 * ranges that embed or translate IPv4.
 */
const special = new BlockList();
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
])
  add(special, range);
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) add(special, range);
const global6 = new BlockList();
add(global6, '2000::/3');

function add(list: BlockList, range: string): void {
  const [address, bits] = range.split('/') as [string, string];
  list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
/** Returns whether an IP address is one of the internet: not of a private or special network. */
export const isPublicAddress = (address: string): boolean =>
  !special.check(address, family(address)) && (family(address) === 'ipv4' || global6.check(address, 'ipv6'));

/** Names that no public directory has: single labels (a container beside this one), and reserved internal domains. */
const internalName =
  /^[^.]*$|(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|svc|arpa|test|invalid|onion)$/;
const bare = (host: string): string =>
  host
    .trim()
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/**
 * Returns an address in canonical form from any spelling that a program would accept (`2130706433`, `017700000001`,
 * `0x7f.1`).
 */
function canonical(host: string): string {
  const name = bare(host);
  if (isIP(name)) return name;
  try {
    return bare(new URL(`http://${name}/`).hostname);
  } catch {
    return name;
  }
}

export interface Target {
  host: string;
  port: number;
}
interface Allowed {
  name?: string;
  networks?: BlockList;
  port: number | undefined;
}

function readAllowed(text: string): Allowed[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, host, bits, port] = /^(\[[^\]]+\]|[^:/]+|[0-9a-f:]+)(?:\/(\d{1,3}))?(?::(\d{1,5}))?$/i.exec(entry) ?? [];
      if (host === undefined) throw new Error(`CARILLON_OUTBOUND_ALLOWED: ${entry} is no server`);
      const name = bare(host);
      const networks = isIP(name) ? new BlockList() : undefined;
      if (networks) add(networks, `${name}/${bits ?? (isIP(name) === 6 ? 128 : 32)}`);
      return { ...(networks ? { networks } : { name }), port: port === undefined ? undefined : Number(port) };
    });
}

/**
 * Decides where the services may connect to for a host from the console: the internet at the usual ports, and what the
 * operator of the installation allows (docs/attack-cases.md, E4). A refusal does not reveal its reason: an unknown
 * name, an internal one and a closed port look the same (E6).
 */
export class Outbound {
  private readonly allowed: Allowed[];

  constructor(
    { outboundAllowed }: { outboundAllowed: string },
    private readonly ports: readonly number[],
  ) {
    this.allowed = readAllowed(outboundAllowed);
  }

  /**
   * Returns the address to connect to, so that the name cannot resolve to another one a moment later; undefined when it
   * may not be reached.
   */
  async address({ host, port }: Target): Promise<string | undefined> {
    if (!this.couldBe({ host, port })) return undefined;
    const name = canonical(host);
    const found = isIP(name)
      ? [name]
      : await lookup(name, { all: true }).then(
          (all) => all.map((a) => a.address),
          () => [],
        );
    return found.length > 0 &&
      found.every(
        (address) =>
          this.named(name, port) ||
          this.within(address, port) ||
          (isPublicAddress(address) && this.ports.includes(port)),
      )
      ? found[0]
      : undefined;
  }

  /** Checks what is known without resolving the name: false means no. */
  couldBe({ host, port }: Target): boolean {
    const name = canonical(host);
    if (this.named(name, port)) return true;
    if (isIP(name)) return this.within(name, port) || (isPublicAddress(name) && this.ports.includes(port));
    // The name may resolve to an address of an allowed network.
    if (this.allowed.some((a) => a.networks && (a.port === undefined || a.port === port))) return true;
    return this.ports.includes(port) && !internalName.test(name);
  }

  private named(name: string, port: number): boolean {
    return this.allowed.some((a) => a.name === name && (a.port === undefined || a.port === port));
  }

  private within(address: string, port: number): boolean {
    return this.allowed.some(
      (a) => a.networks?.check(address, family(address)) && (a.port === undefined || a.port === port),
    );
  }
}

/** Ports of mail servers. */
export const mailPorts = [25, 465, 587, 2525] as const;
