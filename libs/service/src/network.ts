/** Whose network it is: an address of IPv4, of IPv6 the 64 bits that one customer has. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (!plain.includes(':')) return plain;
  const [head, tail] = plain.split('%')[0]!.split('::') as [string, string | undefined];
  const groups = head.split(':').filter((g) => g !== '');
  if (tail !== undefined)
    groups.push(
      ...Array.from<string>({
        length: Math.max(0, 8 - groups.length - tail.split(':').filter((g) => g !== '').length),
      }).fill('0'),
      ...tail.split(':').filter((g) => g !== ''),
    );
  return `${groups
    .slice(0, 4)
    .map((g) => g.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
