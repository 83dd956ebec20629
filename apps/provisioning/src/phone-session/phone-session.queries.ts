import { linkReport, linkSession, phoneGateway } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { column, columns, computed, currentSql, preparedSql, type RowOf } from '@carillon/persistence';
import { capabilitiesOf } from '../vendor/capability.ts';
import { vendorNamed } from '../vendor/vendor-of.ts';
import { PhoneSession } from './phone-session.entity.ts';

/** A phone that has used its own address. */
export interface Contact {
  id: string;
  companyId: string;
  mac: string;
  ownerEpoch: number;
  maker: string;
  /** The firmware that its User-Agent names; null when it names none. */
  firmware: string | null;
  /** IP address from which it asked. */
  address: string;
  /** IP address that it told; null when it told none. */
  ownAddress: string | null;
}

const sessionNames = [
  'id',
  'companyId',
  'mac',
  'ownerEpoch',
  'epoch',
  'maker',
  'firmware',
  'address',
  'seenAt',
] as const;
/** The organization is that of the device's log; null when the device is gone. */
const orgId = computed<string | null>('(select d.org_id from device_copy d where d.id = s.id)');
const sessionColumns = columns(PhoneSession, 's', sessionNames, { orgId });
export type Session = RowOf<typeof sessionColumns>;

const heard = columns(PhoneSession, 's', sessionNames, {
  orgId,
  epochBefore: column(PhoneSession, 'old', 'epoch'),
  isTold: computed<boolean>(
    '(old.owner_epoch = s.owner_epoch and old.maker = s.maker and old.firmware is not distinct from s.firmware)',
  ),
});

const atOnce = 500;

/**
 * Stores that phones were heard, begins the sessions of those that were silent, and publishes these. `restarted` begins
 * a new session for each, of which the caller tells more. Returns the sessions. A phone keeps its session when only its
 * address changes.
 */
export async function hear(contacts: readonly Contact[], restarted = false): Promise<Session[]> {
  if (contacts.length === 0) return [];
  const rows = await preparedSql().rows(
    heard,
    `
      insert into phone_session as s
        (id, company_id, mac, owner_epoch, epoch, online, seen_at, maker, firmware, address, own_address)
      select x.id, x."companyId", x.mac, x."ownerEpoch", extract(epoch from now())::bigint, true, now(), x.maker,
        x.firmware, x.address, x."ownAddress"
      from jsonb_to_recordset($1::jsonb) as x(
        id uuid, "companyId" uuid, mac text, "ownerEpoch" int, maker text, firmware text, address text,
        "ownAddress" text
      )
      order by x.id
      on conflict (id) do update
      set epoch = case when s.online and s.owner_epoch = excluded.owner_epoch and not $2 then s.epoch
          else greatest(excluded.epoch, s.epoch + 1) end,
        company_id = excluded.company_id, mac = excluded.mac, owner_epoch = excluded.owner_epoch, online = true,
        seen_at = now(), maker = excluded.maker, firmware = coalesce(excluded.firmware, s.firmware),
        address = excluded.address,
        own_address = case when excluded.own_address is null and s.address = excluded.address then s.own_address
          else excluded.own_address end
      returning ${heard}
    `,
    [JSON.stringify(contacts), restarted],
  );
  const began = rows.filter((row) => row.epoch !== row.epochBefore);
  await publishBegun(began);
  if (!restarted) await publishKnown(rows.filter((row) => !row.isTold));
  return rows;
}

const about = ({ id, mac, ownerEpoch, epoch }: Session) => ({ deviceId: id, mac, ownerEpoch, epoch });

/** Key and sender of a message about a session. */
const sent = ({ id, companyId, orgId }: Session) => ({ key: id, companyId, orgId });

async function publishBegun(sessions: readonly Session[]): Promise<void> {
  const at = Date.now();
  await emitMany(
    linkSession,
    'online',
    sessions.map((session) => ({
      ...sent(session),
      data: { ...about(session), gateway: phoneGateway, address: session.address, at },
    })),
  );
}

/**
 * Publishes what maker and User-Agent tell of phones: other services judge by it what a phone can do. `bootOf` tells why
 * a phone has just started.
 */
export async function publishKnown(
  sessions: readonly Session[],
  bootOf?: (session: Session) => 'power' | 'reboot' | 'upgrade',
): Promise<void> {
  const receivedAt = Date.now();
  await emitMany(
    linkReport,
    'phone',
    sessions.map((session) => ({
      ...sent(session),
      data: {
        ...about(session),
        receivedAt,
        payload: {
          capabilities: capabilitiesOf(vendorNamed(session.maker)),
          ...(session.firmware ? { firmware: session.firmware } : {}),
          ...(bootOf ? { boot: bootOf(session) } : {}),
        },
      },
    })),
  );
}

/** Publishes the ends of sessions: a lost one ended when the phone was heard last. */
async function publishEnded(sessions: readonly Session[], reason: 'lost' | 'closed'): Promise<void> {
  const now = Date.now();
  await emitMany(
    linkSession,
    'offline',
    sessions.map((session) => ({
      ...sent(session),
      data: {
        ...about(session),
        gateway: phoneGateway,
        reason,
        at: reason === 'lost' ? Date.parse(session.seenAt) : now,
      },
    })),
  );
}

/** Locks the sessions of these devices in one order. */
export async function lockSessions(deviceIds: readonly string[]): Promise<void> {
  await currentSql().query('select 1 from phone_session s where s.id = any($1::uuid[]) order by s.id for update', [
    deviceIds,
  ]);
}

/** SQL: whether a session `s` has ended because its phone is silent; `$1` is the longest silence, ms. */
export const isSilentSql = `(s.online and s.seen_at < now() - make_interval(secs => $1 / 1000.0))`;

/** Ends the sessions of the running company whose phones are silent for too long. */
export async function endSilent(silenceMs: number): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    const rows = await currentSql().rows(
      sessionColumns,
      `
        update phone_session s
        set online = false
        where s.id in (
            select s.id from phone_session s where ${isSilentSql} order by s.seen_at limit ${atOnce}
            for update skip locked
          )
        returning ${sessionColumns}
      `,
      [silenceMs],
    );
    await publishEnded(rows, 'lost');
    found = rows.length;
  }
}

/** Ends the sessions of devices that were disabled: their phones are refused from now on. */
export async function endDisabled(deviceIds: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    sessionColumns,
    `
      update phone_session s
      set online = false
      from device_copy d
      where d.id = s.id and s.id = any($1::uuid[]) and s.online and not d.enabled
      returning ${sessionColumns}
    `,
    [deviceIds],
  );
  await publishEnded(rows, 'closed');
}

/** Forgets the sessions of deleted devices. */
export async function forgetSessions(deviceIds: readonly string[]): Promise<void> {
  const wasOnline = columns(PhoneSession, 's', ['online']);
  const rows = await currentSql().query<Record<string, unknown>>(
    `
      delete from phone_session s
      where s.id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = s.id)
      returning ${sessionColumns}, ${wasOnline}
    `,
    [deviceIds],
  );
  await publishEnded(
    rows.rows.flatMap((row) => (wasOnline.read(row).online ? [sessionColumns.read(row)] : [])),
    'closed',
  );
}

/** SQL: whether a device `d` has a session of its present owner. */
export const hasSessionSql = `
  exists (select 1 from phone_session s where s.id = d.id and s.online and s.owner_epoch = d.owner_epoch)
`;
