import { Migration } from '@mikro-orm/migrations';
import { defineEntity, MikroORM, p } from '@mikro-orm/postgresql';
import { testConnection, testPostgres } from '@carillon/testing';
import {
  changedInstant,
  companySession,
  createdInstant,
  currentSql,
  Database,
  migrate,
  ormOptions,
  provision,
  tenant,
  tenantProperties,
  transaction,
  uuidv7,
  type Connection,
} from './index.ts';

/** The phones of two companies, `a` and `b`, in two organizations: the entity of the tests of transactions. */
export const Phone = defineEntity({
  name: 'Phone',
  tableName: 'phone',
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    name: p.string(),
    createdAt: createdInstant(),
    updatedAt: changedInstant(3),
  },
  ...tenant({ organization: true }),
});

export const [a, b, hamburg, berlin] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
export const insert = (company: string, org: string, name: string) =>
  currentSql().query(
    'insert into phone (id, company_id, org_id, name, created_at, updated_at) values ($1, $2, $3, $4, now(), now())',
    [uuidv7(), company, org, name],
  );
export const names = async (): Promise<string[]> =>
  (await currentSql().query<{ name: string }>('select name from phone order by name')).rows.map((r) => r.name);

/** Creates a database with three phones, owned by another role than the one that the returned connection uses. */
export async function openPhones(name: string): Promise<{ connection: Connection; database: Database }> {
  const connection = await testConnection(name);
  const orm = new MikroORM(ormOptions({ connection, entities: [Phone], migrations: [] }));
  const sql = await orm.schema.getCreateSchemaSQL();
  await orm.close();
  class First extends Migration {
    override up(): void {
      for (const s of sql.split(';\n')) if (s.trim() !== '' && !s.includes('set names')) this.addSql(s);
    }
  }
  await provision(await testPostgres(), connection, 'owner');
  await migrate({ connection, entities: [Phone], migrations: [First] }, 'owner');
  const database = await Database.open({ connection, entities: [Phone], migrations: [First] });
  await transaction(database, companySession(a), async () => {
    await insert(a, hamburg, 'a-hamburg');
    await insert(a, berlin, 'a-berlin');
  });
  await transaction(database, companySession(b), async () => {
    await insert(b, hamburg, 'b-hamburg');
  });
  return { connection, database };
}
