export interface NewPerson {
  email: string;
  nickname: string;
  username: string;
}

/** Returns the part before the @, without characters that a username may not have. */
export const usernameOf = (email: string): string =>
  (email.split('@')[0] ?? '').toLowerCase().replace(/[^\p{L}\p{N}._-]/gu, '');

/** Returns a default name: `anna.weber@…` is Anna Weber. */
export const nicknameOf = (email: string): string =>
  (email.split('@')[0] ?? '')
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');

interface Named {
  email: string;
  username: string;
  nickname: string;
}
/** Returns the fields of a new user after a change of the address: the names follow it until they are edited. */
export const withEmail = (before: Named, email: string): Partial<Named> => ({
  email,
  ...(before.username === usernameOf(before.email) ? { username: usernameOf(email) } : {}),
  ...(before.nickname === nicknameOf(before.email) ? { nickname: nicknameOf(email) } : {}),
});

/** Characters that mail programs put around a name or an address. */
const around = new Set('"\'<>() \t\r');
function bare(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && around.has(text[start]!)) start++;
  while (end > start && around.has(text[end - 1]!)) end--;
  return text.slice(start, end).split(/\s+/).join(' ');
}

/**
 * Reads people from pasted text in the formats of mail programs and tables: an address per line, or separated by commas
 * and semicolons, with or without a name: `Anna Weber <anna@example.com>`. Invalid addresses stay, so that they can be
 * reported; duplicates are dropped.
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
