import { Client } from 'ldapts';
import { addLdapServer, getLdapServer, syncLdapServer } from '@carillon/contracts';
import { report, runs, spread } from '@carillon/devtools/bench';
import { testLdap, type Person, type TestLdap } from '@carillon/testing/ldap';
import pg from 'pg';
import { up } from './instance.ts';
import { seconds, sized, until, written } from './inventory.ts';

const count = sized(10_000);
const attributes = {
  name: 'cn',
  number: 'telephoneNumber',
  mailbox: 'mail',
  department: 'departmentNumber',
  supervisor: 'manager',
  adAccount: 'uid',
};
const person = (at: number): Person => ({
  cn: `Person ${String(at).padStart(5, '0')}`,
  telephoneNumber: `+49 30 ${at}`,
  mail: `p${at}@example.com`,
  departmentNumber: at % 2 === 0 ? 'Sales' : 'Support',
  manager: `uid=p0,ou=people,dc=example,dc=com`,
});

/**
 * Reads 10,000 entries of a real directory by LDAPS in pages of 500: for a new server, and again without changes.
 * Compared with the library that the product uses, which writes into one plain table the first time and only reads the
 * second time.
 */
export async function ldapPart(): Promise<void> {
  const ldap = await testLdap(Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, person(at)])));
  const instance = await up({ devices: 0, env: { CARILLON_OUTBOUND_ALLOWED: `localhost:${ldap.tlsPort}` } });
  const database = new pg.Client({ ...instance.postgres(), database: 'carillon_provisioning' });
  database.on('error', () => undefined);
  try {
    await database.connect();
    await database.query(
      'create schema floor; create table floor.entry (entry text primary key, facts jsonb not null)',
    );
    const { call } = instance;
    const sync = async (id: string): Promise<number> => {
      const began = performance.now();
      await call(syncLdapServer, { body: { id } });
      const last = async () => (await call(getLdapServer, { params: { id } })).sync!;
      const done = await until(async () => (await last()).endedAt !== null, 20);
      const ended = await last();
      if (ended.status !== 'success' || ended.read !== count)
        throw new Error(`${ended.status}, ${ended.read} of ${count} entries: ${ended.msg}`);
      return (done - began) / 1000;
    };
    const [first, again, bareFirst, bareAgain]: number[][] = [[], [], [], []];
    for (let run = 0; run < runs(); run++) {
      const { id } = await call(addLdapServer, {
        body: {
          name: `Directory ${run + 1}`,
          enabled: true,
          host: ldap.host,
          port: ldap.tlsPort,
          security: 'ldaps',
          checkCertificate: true,
          ca: ldap.ca,
          userName: ldap.user,
          password: ldap.password,
          base: ldap.base,
          filter: '(objectClass=person)',
          attributes,
          cycle: 'off',
          time: '02:00',
          weekday: 1,
        },
      });
      first!.push(await sync(id));
      bareFirst!.push(
        await seconds(() =>
          read(ldap, async (entries) => {
            await database.query('insert into floor.entry select x ->> $2, x from jsonb_array_elements($1::jsonb) x', [
              JSON.stringify(entries),
              'dn',
            ]);
          }),
        ),
      );
      again!.push(await sync(id));
      bareAgain!.push(await seconds(() => read(ldap, () => Promise.resolve())));
      await database.query('truncate floor.entry');
    }
    const name = `LDAP sync of ${written(count)} entries`;
    report(
      {
        name,
        unit: 's',
        value: spread(first!).median,
        atMost: 15,
        beside: { name: 'read and written into one table', value: spread(bareFirst!).median },
      },
      spread(first!),
    );
    report(
      {
        name: '… once more, without a change',
        unit: 's',
        value: spread(again!).median,
        atMost: 5,
        beside: { name: 'read', value: spread(bareAgain!).median },
      },
      spread(again!),
    );
  } finally {
    // Stopped while there is still a connection, because a process that waits only for the directory's end would exit.
    await ldap.stop();
    await database.end();
    instance.down();
  }
}

async function read(ldap: TestLdap, page: (entries: readonly object[]) => Promise<void>): Promise<void> {
  const client = new Client({ url: `ldaps://${ldap.host}:${ldap.tlsPort}`, tlsOptions: { ca: [ldap.ca] } });
  try {
    await client.bind(ldap.user, ldap.password);
    let entries = 0;
    const pages = client.searchPaginated(ldap.base, {
      scope: 'sub',
      filter: '(objectClass=person)',
      attributes: Object.values(attributes),
      paged: { pageSize: 500 },
    });
    for await (const { searchEntries } of pages) {
      entries += searchEntries.length;
      await page(searchEntries);
    }
    if (entries !== count) throw new Error(`the floor read ${entries} of ${count} entries`);
  } finally {
    await client.unbind();
  }
}
