import type { EventData, linkReport, Message } from '@carillon/contracts';
import { columns, currentSql } from '@carillon/persistence';
import { Device } from './device.entity.ts';

type Report = Message<typeof linkReport>;
type State = EventData<typeof linkReport, 'state'>;

const linked = columns(Device, 'd', ['id']);

/** Returns whether a report has no connection behind it: the phone called a URL (docs/adr/0040). */
const isOverHttp = ({ type, data }: Report): boolean => type === 'state' && data !== null && data.epoch === 0;

/**
 * Returns the reports without what online devices told over HTTP, except which configuration they loaded: their
 * connection tells the rest.
 */
export async function withoutOvertaken(messages: readonly Report[]): Promise<Report[]> {
  const ids = messages.flatMap((message) => (isOverHttp(message) ? [message.data!.deviceId] : []));
  if (ids.length === 0) return [...messages];
  const rows = await currentSql().rows(
    linked,
    `select ${linked} from device d where d.id = any($1::uuid[]) and d.online`,
    [ids],
  );
  const online = new Set(rows.map(({ id }) => id));
  return messages.map((message) => {
    if (!isOverHttp(message) || !online.has(message.data!.deviceId)) return message;
    const { payload, ...rest } = message.data as State;
    const { at, configVersion } = payload;
    return {
      ...message,
      data: { ...rest, payload: { at, ...(configVersion === undefined ? {} : { configVersion }) } },
    };
  });
}
