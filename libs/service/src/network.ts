/**
 * Returns the network of an address: the address itself for IPv4, the 64-bit prefix of one customer for IPv6. Every
 * limit by address counts by this. IPv4-mapped IPv6 counts as IPv4 in any spelling.
 */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!plain.includes(':')) return plain;
  const [head, tail] = plain.split('%')[0]!.split('::').map(groupsOf) as [string[], string[] | undefined];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from<string>({ length: gap }).fill('0'), ...(tail ?? [])];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
      .join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

const groupsOf = (text: string): string[] =>
  text
    .split(':')
    .filter((group) => group !== '')
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
