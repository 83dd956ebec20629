/**
 * Two devices with one identity end each other's connection in turn. Their hellos show it: the place (address and
 * serial number) changes back to the one before within five minutes, and the devices differ in serial number or start.
 * A device that moves between two networks has one start.
 */

/** SQL: whether two devices used an identity in turn, as of the time `now`: it was found less than ten minutes ago. */
export const isSharedSql = (sharedAt: string, now: string): string => `(${sharedAt} > ${now} - interval '10 minutes')`;

const at = 'to_timestamp(m.at / 1000.0)';
const isSame = (a: string, b: string): string => `(${a} - 'booted') = (${b} - 'booted')`;
const hasMoved = `m.place is not null and not coalesce(${isSame('m.place', 'x.place')}, false)`;

/** SQL: new values of a device `x` after a report `m`, which has a place if it is a hello. */
export const placeColumns: Readonly<Record<string, string>> = {
  place: `case when ${hasMoved} then m.place else x.place end`,
  place_before: `case when ${hasMoved} then x.place else x.place_before end`,
  place_changed_at: `case when ${hasMoved} then ${at} else x.place_changed_at end`,
  shared_at: `
    case when ${hasMoved}
      and ${isSame('m.place', 'x.place_before')}
      and ${at} < x.place_changed_at + interval '5 minutes'
      and (
        m.place ->> 'sn' <> x.place ->> 'sn'
        or abs((m.place ->> 'booted')::float8 - (x.place ->> 'booted')::float8) > 120
      ) then ${at} else x.shared_at end
  `,
};
