import type { PhonebookFile } from '@carillon/contracts';
import { xmlText as text } from '../vendor/xml-text.ts';

export interface PhonebookEntry {
  name: string;
  /** As a phone dials it. */
  number: string;
}

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Returns the format that Fanvil and Yealink share, with the given root element. */
const directory =
  (root: string) =>
  (title: string, entries: readonly PhonebookEntry[]): string =>
    `${head}<${root}>\n<Title>${text(title)}</Title>\n${entries
      .map(
        ({ name, number }) =>
          `<DirectoryEntry><Name>${text(name)}</Name><Telephone>${text(number)}</Telephone></DirectoryEntry>\n`,
      )
      .join('')}</${root}>\n`;

/** Returns Grandstream's format, which has a first and a last name: the part after the last space is the last name. */
function addressBook(title: string, entries: readonly PhonebookEntry[]): string {
  const contacts = entries.map(({ name, number }, at) => {
    const space = name.lastIndexOf(' ');
    const [first, last] = space === -1 ? ['', name] : [name.slice(0, space), name.slice(space + 1)];
    return (
      `<Contact><id>${at + 1}</id><FirstName>${text(first)}</FirstName><LastName>${text(last)}</LastName>` +
      `<Phone type="Work"><phonenumber>${text(number)}</phonenumber><accountindex>1</accountindex></Phone>` +
      '<Group>1</Group></Contact>\n'
    );
  });
  const group = `<pbgroup><id>1</id><name>${text(title)}</name></pbgroup>`;
  return `${head}<AddressBook>\n${group}\n${contacts.join('')}</AddressBook>\n`;
}

/** Formats a phonebook for the phones of each maker. */
export const phonebookForms: Readonly<
  Record<PhonebookFile, (title: string, entries: readonly PhonebookEntry[]) => string>
> = {
  'fanvil.xml': directory('FanvilIPPhoneDirectory'),
  'yealink.xml': directory('YealinkIPPhoneDirectory'),
  'phonebook.xml': addressBook,
};
