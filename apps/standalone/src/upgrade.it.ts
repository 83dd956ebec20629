import { expect, it } from 'vitest';
import { authService } from '@carillon/auth/module';
import { deviceService } from '@carillon/device/module';
import { orgService } from '@carillon/org/module';
import { provisioningService } from '@carillon/provisioning/module';
import { taskService } from '@carillon/task/module';
import { companySession, currentSql, Database, migrate, provision, transaction, uuidv7 } from '@carillon/persistence';
import { testConnection, testPostgres } from '@carillon/testing';

/** Creates a service's database before the migration `to`, adds rows, and then migrates it completely. */
async function upgraded(
  { name, database }: Pick<typeof orgService, 'name' | 'database'>,
  to: string,
  fill: (sql: (companyId: string, text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<void>,
  look: (sql: (companyId: string, text: string, values?: unknown[]) => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const connection = await testConnection(name);
  await provision(await testPostgres(), connection, 'owner');
  const { migrations } = database!;
  const at = migrations.findIndex((m) => m.name.startsWith(to));
  expect(at).toBeGreaterThan(0);
  const open = await Database.open({ connection, ...database! });
  const sql = (companyId: string, text: string, values: unknown[] = []) =>
    transaction(open, companySession(companyId), async () => (await currentSql().query(text, values)).rows);
  try {
    await migrate({ connection, ...database!, migrations: migrations.slice(0, at) }, 'owner');
    await fill(sql);
    await migrate({ connection, ...database! }, 'owner');
    await look(sql);
  } finally {
    await open.close();
  }
}

it("an upgrade makes earlier companies channels of the installation's own company", async () => {
  const [top, child, other] = [uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    orgService,
    'Migration20261125',
    async (sql) => {
      for (const [id, path] of [
        [top, `/${top}/`],
        [child, `/${top}/${child}/`],
        [other, `/${top}/${other}/`],
      ] as const)
        await sql(
          id,
          `
            insert into company (id, company_id, name, path, type, status, remarks, version, created_at, updated_at)
            values ($1, $1, $2, $3, 'reseller', 'locked', 'noted', 4, now(), now())
          `,
          [id, `Company ${id}`, path],
        );
    },
    async (sql) => {
      expect(
        await sql(top, 'select parent_id, create_sub_limit, sub_given, fcs_enabled, version from company'),
        // Migration20261216CompanyTold raises it once more.
      ).toEqual([{ parent_id: null, create_sub_limit: 1_000_000, sub_given: 2, fcs_enabled: true, version: 6 }]);
      expect(await sql(child, 'select parent_id, create_sub_limit, fcs_enabled from company')).toEqual([
        { parent_id: top, create_sub_limit: 0, fcs_enabled: false },
      ]);
      expect(await sql(top, 'select id, name, status, remarks from channel order by id')).toEqual(
        [child, other].map((id) => ({ id, name: `Company ${id}`, status: 'locked', remarks: 'noted' })),
      );
      expect(await sql(child, 'select id from channel')).toEqual([]);
    },
  );
});

it('an upgrade makes the first user of an earlier company its channel account', async () => {
  const [company, first, second] = [uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    authService,
    'Migration20261125',
    async (sql) => {
      await sql(
        company,
        `insert into company_copy (id, company_id, name, status, version) values ($1, $1, 'Bells', 'normal', 3)`,
        [company],
      );
      for (const [id, days] of [
        [second, 1],
        [first, 2],
      ] as const)
        await sql(
          company,
          `
            insert into user_account (
              id, company_id, username, nickname, account_type, status, password_hash, org_ids, default_org_id,
              timezone_id, country_id, tokens_valid_after, version, created_at, updated_at
            )
            values (
              $1::uuid, $2, $4, 'n', 'channel', 'normal', '', '{}', $2, 1, 1, now(), 0,
              now() - make_interval(days => $3), now()
            )
          `,
          [id, company, days, `user.${days}`],
        );
    },
    async (sql) => {
      expect(await sql(company, 'select account_id from company_copy')).toEqual([{ account_id: first }]);
    },
  );
});

it('an upgrade counts a time zone other than the first as chosen by the user', async () => {
  const [company, here, there] = [uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    authService,
    'Migration20261124ZoneChosen',
    async (sql) => {
      for (const [id, zone] of [
        [here, 1],
        [there, 2],
      ] as const)
        await sql(
          company,
          `
            insert into user_account (
              id, company_id, username, nickname, account_type, status, password_hash, org_ids, default_org_id,
              timezone_id, country_id, tokens_valid_after, version, created_at, updated_at
            )
            values (
              $1::uuid, $2, 'zone.' || $3::int, 'n', 'channel', 'normal', '', '{}', $2, $3, 1, now(), 0, now(), now()
            )
          `,
          [id, company, zone],
        );
    },
    async (sql) => {
      expect(await sql(company, 'select zone_chosen from user_account order by timezone_id')).toEqual([
        { zone_chosen: false },
        { zone_chosen: true },
      ]);
    },
  );
});

it('an upgrade keeps the zone of the schedules of LDAP servers, also of those whose deletion can be undone', async () => {
  const [company, server, gone] = [uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    provisioningService,
    'Migration20261207LdapZone',
    async (sql) => {
      await sql(
        company,
        `
          insert into ldap_server (
            id, company_id, name, enabled, host, port, security, check_certificate, user_name, base, filter, attributes,
            cycle, time, weekday, timezone_id, version, updated_at
          )
          values (
            $1, $2, 'Berlin', true, 'ldap.example.com', 636, 'ldaps', true, 'cn=reader', 'dc=example', '', '{}', 'day',
            '02:00', 1, 17, 1, now()
          )
        `,
        [server, company],
      );
      await sql(
        company,
        `
          insert into deleted (id, company_id, kind, user_id, row, deleted_at)
          values ($1, $2, 'ldapServer', $1, '{"timezone_id": 29}', now())
        `,
        [gone, company],
      );
    },
    async (sql) => {
      expect(await sql(company, 'select time_zone from ldap_server')).toEqual([{ time_zone: 'Europe/Berlin' }]);
      expect(await sql(company, `select row ->> 'time_zone' as zone from deleted`)).toEqual([
        { zone: 'Asia/Shanghai' },
      ]);
    },
  );
});

it('an upgrade turns an earlier task into one with one run, its devices and its sums', async () => {
  const [company, ended, open, device, offline] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    taskService,
    'Migration20261125bTaskRun',
    async (sql) => {
      for (const [id, number, status, when] of [
        [ended, 1, 'success', '2026-11-20T10:00:00Z'],
        [open, 2, 'process', null],
      ] as const)
        await sql(
          company,
          `
            insert into task (
              id, company_id, number, name, action, type, status, params, target, access, expanded, total, success,
              fail, timeout, cancel, process, wait, creator_id, creator_name, created_at, started_at, ended_at
            )
            values (
              $1, $2, $3, 'Of before', 'reboot', 'now', $4::text, '{}', '{"ids":[]}', '{"orgIds":"*"}', true, 1,
              case when $5::timestamptz is null then 0 else 1 end, 0, 0, 0, 0,
              case when $5::timestamptz is null then 1 else 0 end, $2, 'x', '2026-11-20T09:00:00Z',
              '2026-11-20T09:00:01Z', $5::timestamptz
            )
          `,
          [id, company, number, status, when],
        );
      for (const [id, of, status] of [
        [ended, device, 'success'],
        [open, offline, 'wait'],
      ] as const)
        await sql(
          company,
          `
            insert into task_device (
              task_id, device_id, company_id, org_id, mac, name, model, owner_epoch, status, command_id, expires_at,
              updated_at
            )
            values ($1, $2, $3, $3, '0c383e000001', 'Desk', 'X7A', 1, $4, gen_random_uuid(), now(), now())
          `,
          [id, of, company, status],
        );
    },
    async (sql) => {
      expect(
        await sql(
          company,
          `
            select t.number, t.runs, t.schedule, t.begin_at = t.created_at as begun, t.due_at, r.run, r.cause, r.status,
              r.ended_at = t.ended_at as ended
            from task t
            join task_run r on r.task_id = t.id
            order by t.number
          `,
        ),
      ).toEqual([
        {
          number: 1,
          runs: 1,
          schedule: { type: 'now' },
          begun: true,
          due_at: null,
          run: 1,
          cause: 'schedule',
          status: 'success',
          ended: true,
        },
        {
          number: 2,
          runs: 1,
          schedule: { type: 'now' },
          begun: true,
          due_at: null,
          run: 1,
          cause: 'schedule',
          status: 'process',
          ended: null,
        },
      ]);
      expect(await sql(company, 'select device_id, run from task_device order by status')).toEqual([
        { device_id: device, run: 1 },
        { device_id: offline, run: 1 },
      ]);
    },
  );
});

it('an upgrade makes devices due that may have an empty configuration, of every company [CFG-01/ended]', async () => {
  const [own, other, bare, second, used] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    provisioningService,
    'Migration20261214ConfigEnd',
    async (sql) => {
      for (const [id, company, lines] of [
        [bare, own, []],
        [used, own, [2]],
        [second, other, []],
      ] as const)
        await sql(
          company,
          `
            insert into device_config (id, company_id, content_id, content_version, revision, lines, changed_at)
            values ($1, $2, $1, 't1', 1, $3, now())
          `,
          [id, company, lines],
        );
    },
    async (sql) => {
      expect(await sql(own, 'select id from config_due')).toEqual([{ id: bare }]);
      expect(await sql(other, 'select id from config_due')).toEqual([{ id: second }]);
    },
  );
});

it('an upgrade has the devices of every company published again, from the first one on', async () => {
  const [own, other, bare] = [uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    deviceService,
    'Migration20261214DeviceRepublish',
    async (sql) => {
      for (const [n, company] of [own, other].entries())
        await sql(
          company,
          `
            insert into device (
              id, company_id, org_id, mac, name, model, sn, lines, calls, capabilities, configured, config_failed,
              failed_lines, online, epoch, owner_epoch, version, secret_hash, created_at
            )
            values (
              gen_random_uuid(), $1, $1, $2, 'Desk', 'X7A', '', '[]', 0, '[]', false, false, 0, false, 0, 1, 1, '', now()
            )
          `,
          [company, `0c383e00000${n}`],
        );
      await sql(
        own,
        `insert into device_republish (id, company_id, after, lease_until) values ($1, $1, $1, '2100-01-01')`,
        [own],
      );
    },
    async (sql) => {
      const due = 'select id, after, lease_until <= now() as due from device_republish';
      for (const id of [own, other]) expect(await sql(id, due)).toEqual([{ id, after: null, due: true }]);
      expect(await sql(bare, due)).toEqual([]);
    },
  );
});

it('an upgrade publishes the device groups of every company', async () => {
  const [own, other, desks, doors] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    deviceService,
    'Migration20261214DeviceGroupTold',
    async (sql) => {
      for (const [id, company] of [
        [desks, own],
        [doors, other],
      ] as const)
        await sql(
          company,
          `
            insert into device_group (id, company_id, org_id, name, description, updated_at)
            values ($1, $2, $2, 'Desks', '', now())
          `,
          [id, company],
        );
    },
    async (sql) => {
      const rows = await sql(own, `select key, value::jsonb as told from outbox where topic = 'device.group.v1'`);
      const group = (id: string, companyId: string) => ({ id, companyId, orgId: companyId, name: 'Desks' });
      expect(rows).toHaveLength(2);
      expect(rows).toContainEqual({ key: desks, told: group(desks, own) });
      expect(rows).toContainEqual({ key: doors, told: group(doors, other) });
      expect(await sql(other, 'select version from device_group')).toEqual([{ version: 1 }]);
    },
  );
});

it('an upgrade dates delivered devices by their imports, and names the companies that claimed them', async () => {
  const [own, list, used, free] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const [imported, claimed] = ['2026-12-01T08:00:00.000Z', '2026-12-02T08:00:00.000Z'];
  await upgraded(
    deviceService,
    'Migration20261219DeviceOrigin',
    async (sql) => {
      await sql(
        own,
        `
          insert into import (
            id, company_id, noun, user_id, access, name, status, ignored, counts, lease_until, created_at
          )
          values ($1, $2, 'delivery', $2, '{}', 'list', 'done', '[]', '{}', now(), $3)
        `,
        [list, own, imported],
      );
      for (const [n, id, at] of [
        [1, used, claimed],
        [2, free, null],
      ] as const) {
        const row = [id, `0c383e00000${n}`, at];
        await sql(
          own,
          `insert into delivered_device (id, mac, sn, code_hash, claimed_at) values ($1, $2, '', '', $3)`,
          row,
        );
        await sql(
          own,
          `
            insert into import_row (
              id, company_id, import_id, number, cells, state, errors, changes, object_id
            )
            values ($1, $2, $3, $4, '{}', 'done', '[]', '[]', $1)
          `,
          [id, own, list, n],
        );
      }
      await sql(
        own,
        `insert into mac_owner (mac, company_id, proof, epoch, since) values ('0c383e000001', $1, 'claim', 1, now())`,
        [own],
      );
    },
    async (sql) => {
      const rows = await sql(
        own,
        'select id, claimed_by as "by", imported_at::text::timestamptz = $1::timestamptz as dated from delivered_device order by mac',
        [imported],
      );
      expect(rows).toEqual([
        { id: used, by: own, dated: true },
        { id: free, by: null, dated: true },
      ]);
      expect(await sql(uuidv7(), 'select 1 from import_row')).toEqual([]);
    },
  );
});

it('an upgrade publishes the models of every company', async () => {
  const [own, other, lobby, hall] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    deviceService,
    'Migration20261216DeviceModelTold',
    async (sql) => {
      for (const [id, company] of [
        [lobby, own],
        [hall, other],
      ] as const)
        await sql(
          company,
          `
            insert into device_model (
              id, company_id, name, show_name, internal_name, series, type, sip_count, door_count, soft_dss_keys,
              dss_keys_per_page, dss_key_pages, side_keys_per_page, side_key_pages, hidden_items, second_screen,
              mutual_auth, version, updated_at
            )
            values (
              $1, $2, 'Lobby', 'Lobby phone', 'lb1', 'Halls', 'general', 1, 0, 0, 0, 0, 0, 0, '{}', false, false, 4, now()
            )
          `,
          [id, company],
        );
    },
    async (sql) => {
      const rows = await sql(
        own,
        `
          select key, headers->>'version' as version, value::jsonb as told
          from outbox
          where topic = 'device.model.v1'
        `,
      );
      const model = { name: 'Lobby', showName: 'Lobby phone', internalName: 'lb1', series: 'Halls', mutualAuth: false };
      const counts = { softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage: 0, sideKeyPages: 0 };
      const keys = { sipCount: 1, ...counts, hiddenItems: [], secondScreen: false };
      // Once for the series, and once more with the keys.
      expect(rows).toHaveLength(4);
      for (const [id, companyId] of [
        [lobby, own],
        [hall, other],
      ] as const) {
        expect(rows).toContainEqual({ key: id, version: '4', told: { id, companyId, ...model } });
        expect(rows).toContainEqual({ key: id, version: '5', told: { id, companyId, ...model, keys } });
      }
    },
  );
});

it('an upgrade has all companies published once more', async () => {
  const [own, other] = [uuidv7(), uuidv7()];
  await upgraded(
    orgService,
    'Migration20261216CompanyTold',
    async (sql) => {
      for (const id of [own, other])
        await sql(
          id,
          `
            insert into company (id, company_id, name, path, type, status, version, created_at, updated_at)
            values ($1, $1, $2, $3, 'enterprise', 'normal', 4, now(), now())
          `,
          [id, `Company ${id}`, `/${id}/`],
        );
    },
    async (sql) => {
      for (const id of [own, other]) expect(await sql(id, 'select version from company')).toEqual([{ version: 5 }]);
    },
  );
});

it('an upgrade lets devices drift from the configuration that they have, and publishes them again', async () => {
  const [own, other, current, behind] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    deviceService,
    'Migration20261215ConfigDrift',
    async (sql) => {
      for (const [n, id, company, version] of [
        [0, current, own, 't1'],
        [1, behind, other, 't0'],
      ] as const) {
        await sql(
          company,
          `
            insert into device (
              id, company_id, org_id, mac, name, model, sn, lines, calls, capabilities, configured, config_failed,
              failed_lines, online, epoch, owner_epoch, version, secret_hash, created_at, config_version
            )
            values (
              $1, $2, $2, $3, 'Desk', 'X7A', '', '[]', 0, '[]', true, false, 0, false, 0, 1, 1, '', now(), $4
            )
          `,
          [id, company, `0c383e00001${n}`, version],
        );
        await sql(
          company,
          `insert into device_config_copy (id, company_id, wanted, version, era) values ($1, $2, 't1', 1, 0)`,
          [id, company],
        );
      }
    },
    async (sql) => {
      const drift = 'select config_had, config_drifted_at from device';
      expect(await sql(own, drift)).toEqual([{ config_had: 't1', config_drifted_at: null }]);
      expect(await sql(other, drift)).toEqual([{ config_had: null, config_drifted_at: null }]);
      for (const id of [own, other]) expect(await sql(id, 'select id from device_republish')).toEqual([{ id }]);
    },
  );
});

it('an upgrade finds the contents of configurations by their version', async () => {
  const [own, device, used, unused] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  await upgraded(
    provisioningService,
    'Migration20261215ConfigPeriod',
    async (sql) => {
      for (const id of [used, unused])
        await sql(own, `insert into config_content (id, company_id, sealed, used_at) values ($1, $2, 'x', now())`, [
          id,
          own,
        ]);
      await sql(
        own,
        `
          insert into device_config (id, company_id, content_id, content_version, revision, lines, changed_at)
          values ($1, $2, $3, 't1', 1, '{}', now())
        `,
        [device, own, used],
      );
    },
    async (sql) => {
      expect(await sql(own, 'select version from config_content order by version')).toEqual([
        { version: 't1' },
        { version: null },
      ]);
    },
  );
});
