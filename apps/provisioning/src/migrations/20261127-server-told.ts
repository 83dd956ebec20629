import { Migration } from '@mikro-orm/migrations';

/** Tells of the servers that were there before anyone was told of servers: devices are added with one (DEV-02). */
export class Migration20261127ServerTold extends Migration {
  override up(): void {
    // The owner reads past the policies, for as long as this transaction.
    this.addSql('alter table "sip_server" no force row level security');
    this.addSql(`
      insert into "outbox" ("topic", "key", "headers", "value")
      select 'provisioning.server.v1', s.id::text,
        jsonb_build_object(
          'id', gen_random_uuid()::text, 'type', 'server',
          'at', (extract(epoch from now()) * 1000)::bigint::text, 'era', '1', 'companyId', s.company_id::text,
          'actor', 'system', 'version', s.version::text
        ),
        jsonb_build_object('id', s.id, 'companyId', s.company_id, 'name', s.name, 'address', s.address)::text
      from "sip_server" s
      order by s.id
    `);
    this.addSql('alter table "sip_server" force row level security');
  }
}
