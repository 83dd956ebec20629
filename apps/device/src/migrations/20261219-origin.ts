import { Migration } from '@mikro-orm/migrations';

/**
 * Completes the history of a device: how its MAC came to the company, which device of the company had this MAC before,
 * and when the device drifted from its configuration.
 */
export class Migration20261219DeviceOrigin extends Migration {
  override up(): void {
    this.addSql(`create index "device_log_end" on "device_log" ("company_id", "mac", "at" desc)
      where kind in ('deleted', 'handedOver')`);
    // Runs after the trigger that writes the entry, because triggers run in the order of their names.
    this.addSql(`
      create function device_history_origin() returns trigger language plpgsql as $$
      declare
        origin jsonb := '{}';
        former uuid;
      begin
        select jsonb_strip_nulls(jsonb_build_object('step', c.step, 'company', c.other_name)) into origin
        from (
          select x.step, x.other_name
          from custody x
          where x.company_id = new.company_id and x.mac = new.mac
          order by x.at desc
          limit 1
        ) c
        where c.step in ('received', 'takenBack', 'claimed');
        select l.device_id into former
        from device_log l
        where l.company_id = new.company_id and l.mac = new.mac and l.kind in ('deleted', 'handedOver')
          and l.device_id <> new.id
        order by l.at desc
        limit 1;
        origin := coalesce(origin, '{}') || jsonb_strip_nulls(jsonb_build_object('deviceId', former));
        if origin <> '{}' then
          update device_log l
          set detail = l.detail || origin
          where l.device_id = new.id and l.at > now() - interval '1 second' and l.kind = 'added';
        end if;
        return null;
      end $$
    `);
    this.addSql(
      'create trigger "device_history_origin" after insert on "device" for each row execute function device_history_origin()',
    );
    this.addSql(`
      create function device_history_drift() returns trigger language plpgsql as $$
      begin
        insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
        values (gen_random_uuid(), new.company_id, new.org_id, new.id, new.mac, now(), 'drift',
          jsonb_build_object('drifted', new.config_drifted_at is not null));
        return null;
      end $$
    `);
    this.addSql(`
      create trigger "device_history_drift" after update of config_drifted_at on "device"
      for each row
      when ((old.config_drifted_at is null) is distinct from (new.config_drifted_at is null))
      execute function device_history_drift()
    `);
  }
}
