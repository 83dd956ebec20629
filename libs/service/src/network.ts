/**
 * Whose network it is: an address of IPv4, of IPv6 the 64 bits that one customer has. Every limit by address counts by
 * this; IPv4 that is written as IPv6 is IPv4, whichever way it is written.
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
