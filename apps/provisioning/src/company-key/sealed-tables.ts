import type { SealedTable } from '@carillon/service';
import { passwordColumn, passwords } from '../sip-account/sip-account.service.ts';

const columns = passwords.map(passwordColumn);
const placeOf = (column: string): string => `sip_account.${column}`;

export const sealedAccounts: SealedTable = { table: 'sip_account', texts: columns.map((column) => ({ column })) };

/** All columns that are sealed with the companies' keys, including pending imports, undos and restores. */
export const sealedTables: readonly SealedTable[] = [
  sealedAccounts,
  { table: 'ldap_server', texts: [{ column: 'password' }] },
  { table: 'redirect_service', texts: [{ column: 'secret' }] },
  { table: 'config_password', texts: [{ column: 'sealed' }] },
  { table: 'config_content', texts: [{ column: 'sealed' }] },
  {
    table: 'import_row',
    where: `exists (select from import i where i.id = t.import_id and i.noun = 'sipAccount')`,
    texts: [
      ...passwords.map((field) => ({
        column: 'cells',
        field,
        place: `import_row.${field}`,
      })),
      ...['before', 'after'].flatMap((column) =>
        columns.map((field) => ({ column, field, place: placeOf(field), idFrom: 'object_id' })),
      ),
    ],
  },
  {
    table: 'deleted',
    where: `t.kind = 'sipAccount'`,
    texts: columns.map((field) => ({ column: 'row', field, place: placeOf(field) })),
  },
  {
    table: 'deleted',
    where: `t.kind = 'ldapServer'`,
    texts: [{ column: 'row', field: 'password', place: 'ldap_server.password' }],
  },
];
