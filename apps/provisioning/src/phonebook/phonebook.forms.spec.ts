import { expect, test } from 'vitest';
import { phonebookForms } from './phonebook.forms.ts';

const entries = [
  { name: 'Ann Maria <b> & "Co"', number: '+493012345' },
  { name: 'Plain\u0007\uffff', number: '201' },
];
const made = (file: keyof typeof phonebookForms) => phonebookForms[file]('Our phonebook', entries).split('\n');
const directory = [
  '<Title>Our phonebook</Title>',
  '<DirectoryEntry><Name>Ann Maria &lt;b&gt; &amp; &quot;Co&quot;</Name><Telephone>+493012345</Telephone></DirectoryEntry>',
  '<DirectoryEntry><Name>Plain</Name><Telephone>201</Telephone></DirectoryEntry>',
];
const phone = (number: string) =>
  `<Phone type="Work"><phonenumber>${number}</phonenumber><accountindex>1</accountindex></Phone><Group>1</Group>`;

test('each maker gets its own format, with escaped names', () => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  for (const [file, root] of [
    ['fanvil.xml', 'FanvilIPPhoneDirectory'],
    ['yealink.xml', 'YealinkIPPhoneDirectory'],
  ] as const)
    expect(made(file)).toEqual([head, `<${root}>`, ...directory, `</${root}>`, '']);
  expect(made('phonebook.xml')).toEqual([
    head,
    '<AddressBook>',
    '<pbgroup><id>1</id><name>Our phonebook</name></pbgroup>',
    '<Contact><id>1</id><FirstName>Ann Maria &lt;b&gt; &amp;</FirstName><LastName>&quot;Co&quot;</LastName>' +
      `${phone('+493012345')}</Contact>`,
    `<Contact><id>2</id><FirstName></FirstName><LastName>Plain</LastName>${phone('201')}</Contact>`,
    '</AddressBook>',
    '',
  ]);
});
