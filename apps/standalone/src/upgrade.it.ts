import { expect, it } from 'vitest';
import { authService } from '@carillon/auth/module';
import { orgService } from '@carillon/org/module';
import { provisioningService } from '@carillon/provisioning/module';
import { taskService } from '@carillon/task/module';
import { uuidv7 } from '@carillon/persistence';
import { upgraded } from './testing/upgraded.ts';

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

it('an upgrade keeps the zone of LDAP schedules, also of servers that were deleted', async () => {
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
      for (const [id, runId, status] of [
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
          [id, runId, company, status],
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
