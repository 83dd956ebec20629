import { phoneGateway, type EventData, type linkReport, type Message } from '@carillon/contracts';
import { columns, preparedSql } from '@carillon/persistence';
import { Device } from './device.entity.ts';

type Report = Message<typeof linkReport>;
type State = EventData<typeof linkReport, 'state'>;

const linked = columns(Device, 'd', ['id', 'epoch', 'online', 'gateway']);

/** Returns whether a report has no connection behind it: the phone called a URL (docs/adr/0040). */
const isOverHttp = ({ type, data }: Report): boolean => type === 'state' && data !== null && data.epoch === 0;

/**
 * Returns the reports without what connected devices told over HTTP, except which configuration they loaded: their
 * connection tells the rest. A device that has ever connected has told itself what it can do.
 */
export async function withoutOvertaken(messages: readonly Report[]): Promise<Report[]> {
  const ids = messages.flatMap((message) =>
    isOverHttp(message) || message.type === 'phone' ? [message.data!.deviceId] : [],
  );
  if (ids.length === 0) return [...messages];
  const rows = await preparedSql().rows(linked, `select ${linked} from device d where d.id = any($1::uuid[])`, [ids]);
  const known = new Map(rows.map((row) => [row.id, row]));
  return messages.flatMap((message) => {
    const device = message.data ? known.get(message.data.deviceId) : undefined;
    if (message.type === 'phone') return device && device.epoch > message.data!.epoch ? [] : [message];
    if (!isOverHttp(message) || !device?.online || device.gateway === phoneGateway) return [message];
    const { payload, ...rest } = message.data as State;
    const { at, configVersion } = payload;
    return [
      {
        ...message,
        data: { ...rest, payload: { at, ...(configVersion === undefined ? {} : { configVersion }) } },
      },
    ];
  });
}
