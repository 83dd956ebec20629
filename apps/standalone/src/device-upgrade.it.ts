import { expect, it } from 'vitest';
import { deviceService } from '@carillon/device/module';
import { provisioningService } from '@carillon/provisioning/module';
import { uuidv7 } from '@carillon/persistence';
import { upgraded } from './testing/upgraded.ts';

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
