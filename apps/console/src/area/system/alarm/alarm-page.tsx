import { useState } from 'react';
import { useLocation, useSearch } from '@tanstack/react-router';
import { one } from '../../../kit/session/address.ts';
import { AlarmTable } from './alarm-table.tsx';
import { MessageTable } from './message-table.tsx';

/**
 * The two tables of alarms and messages: what devices told, and the rest. `tableCheck` says which one (spec, section 2),
 * else the notice that led here.
 */
export function AlarmPage() {
  const asked = one(useSearch({ from: '/_main/alarm' }).tableCheck);
  const told = useLocation({ select: ({ state }) => state.table });
  const [led, lead] = useState(told);
  // Filters write the address anew, which forgets what led here.
  if (told !== undefined && told !== led) lead(told);
  return (asked ?? led) === 'message' ? <MessageTable /> : <AlarmTable />;
}
