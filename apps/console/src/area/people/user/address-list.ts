export interface NewPerson {
  email: string;
  nickname: string;
  username: string;
}

/** What stands before the @, of letters that a username may have. */
export const usernameOf = (email: string): string =>
  (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '');

/** `anna.weber@…` is Anna Weber, until somebody says otherwise. */
export const nicknameOf = (email: string): string =>
  (email.split('@')[0] ?? '')
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');

/** What may stand around a name or an address, of mail programs. */
const around = new Set('"\'<>() \t\r');
function bare(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && around.has(text[start]!)) start++;
  while (end > start && around.has(text[end - 1]!)) end--;
  return text.slice(start, end).split(/\s+/).join(' ');
}

/**
 * People from pasted text, as mail programs and tables have them: an address a line, or between commas and semicolons,
 * with or without a name: `Anna Weber <anna@example.com>`. What is no address stays, to be told of; one that is there
 * twice is there once.
 */
export function readAddresses(text: string): NewPerson[] {
  const people = (text.match(/(?:"[^"\n]*"|[^,;\n"])+/g) ?? []).flatMap((entry): NewPerson[] => {
    const words = entry.trim().split(/[\s<>]+/);
    const email = bare(words.find((word) => word.includes('@')) ?? entry);
    if (email === '') return [];
    const name = bare(entry.replace(email, '').replace(/[<>]/g, ''));
    return [
      { email, nickname: name === '' || !email.includes('@') ? nicknameOf(email) : name, username: usernameOf(email) },
    ];
  });
  const seen = new Set<string>();
  return people.filter(({ email }) => {
    const key = email.toLowerCase();
    return seen.has(key) ? false : seen.add(key);
  });
}
