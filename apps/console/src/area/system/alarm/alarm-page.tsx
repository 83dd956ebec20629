import { useSearch } from '@tanstack/react-router';
import { one } from '../../../kit/session/address.ts';
import { AlarmTable } from './alarm-table.tsx';
import { MessageTable } from './message-table.tsx';

/** The two tables of alarms and messages: what devices told, and the rest (spec, section 2, `tableCheck`). */
export function AlarmPage() {
  return one(useSearch({ from: '/_main/alarm' }).tableCheck) === 'message' ? <MessageTable /> : <AlarmTable />;
}
