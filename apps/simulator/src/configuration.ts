/** The keys that a simulated device knows, as patterns in which a number stands for any number. */
const known = [
  /^(account|line)\.\d{1,2}\.(enable|label|display|user|auth|password|server|port|transport|domain|proxy|backup|voicemail|expires)$/,
  /^(phone|door)\.(name|language|ringtone|volume|wallpaper|password|timeout|dtmf)$/,
  /^time\.(zone|server|format|dst)$/,
  /^key\.\d{1,3}\.(type|label|value|line)$/,
  /^key\.(side|dss|soft)\.\d{1,3}\.\d{1,3}\.(type|label|value|line|number)$/,
  /^network\.(vlan|dns1|dns2|hostname|proxy|lldp)$/,
  /^(screen|security|provision)\.[a-z][a-z0-9]{0,31}$/,
  /^raw\.[a-z]{4,12}\.[A-Za-z]/,
];
const isKnown = (key: string): boolean => known.some((form) => form.test(key));

/** A control character that text does not contain. */
const noText = /[\0-\x08\x0b\x0e-\x1f\ufffd]/;

/** Yields lines of `key = value`, where `#` and `;` begin a comment; in XML, an element per key with its value. */
function* pairsOf(text: string): Iterable<{ key: string; value: string } | { line: number }> {
  if (text.trimStart().startsWith('<')) {
    for (const [, key, value] of text.matchAll(/<([A-Za-z][\w.]*)>([^<]*)<\/\1>/g))
      yield { key: key!, value: value!.trim() };
    return;
  }
  for (const [n, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const [, key, value] = /^\s*([\w.\-/[\]]+)\s*[=:](.*)$/.exec(line) ?? [];
    if (key === undefined) yield { line: n + 1 };
    else yield { key, value: value!.trim() };
  }
}

/**
 * Returns the values of a configuration file and the keys that the device does not know; null when it is no text. A
 * line without a key is reported by its number, because it may contain a secret.
 */
export function readConfiguration(
  text: string,
): { values: Record<string, string>; rejected: { key: string; code: string }[] } | null {
  if (noText.test(text)) return null;
  const values: Record<string, string> = {};
  const rejected: { key: string; code: string }[] = [];
  for (const pair of pairsOf(text.replace(/^\ufeff/, ''))) {
    if ('line' in pair) rejected.push({ key: `line ${pair.line}`, code: 'syntax' });
    else if (isKnown(pair.key)) values[pair.key] = pair.value;
    else rejected.push({ key: pair.key.slice(0, 64), code: 'unknown' });
  }
  // As many as fit into one answer (docs/device-link.md: 64 KiB).
  return { values, rejected: rejected.slice(0, 200) };
}
