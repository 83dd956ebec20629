import { BlockList, isIP } from 'node:net';

/**
 * Returns the IP address in what a proxy says of a client: some write the port as well, and IPv6 in brackets. IPv4 that
 * is written as IPv6 becomes IPv4. Returns undefined when the text is no address.
 */
export function clientAddress(said: string): string | undefined {
  const text = said.trim().replace(/^"(.*)"$/, '$1');
  const address = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  if (isIP(address) === 0) return undefined;
  return address.replace(/^::ffff:(?=[\d.]+$)/i, '');
}

/**
 * Returns whether an address is one of `proxies`: addresses and networks, separated by commas. Throws when one of them is
 * neither.
 */
export function trustedBy(proxies: string): ((said: string) => boolean) | false {
  const trusted = new BlockList();
  const names = proxies
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const name of names) {
    const [address, bits] = name.split('/') as [string, string?];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  if (names.length === 0) return false;
  return (said) => {
    const address = clientAddress(said);
    return address !== undefined && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}
