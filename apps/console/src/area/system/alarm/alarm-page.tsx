import { useState } from 'react';
import { useLocation, useSearch } from '@tanstack/react-router';
import { one } from '../../../kit/browser/address.ts';
import { AlarmTable } from './alarm-table.tsx';
import { MessageTable } from './message-table.tsx';

/**
 * Shows alarms of devices or messages, in two tables. `tableCheck` selects one (NOTE-04), otherwise the notice
 * that led here.
 */
export function AlarmPage() {
  const asked = one(useSearch({ from: '/_main/alarm' }).tableCheck);
  const table = useLocation({ select: ({ state }) => state.table });
  const [led, lead] = useState(table);
  // Filters replace the URL's state, which would forget what led here.
  if (table !== undefined && table !== led) lead(table);
  return (asked ?? led) === 'message' ? <MessageTable /> : <AlarmTable />;
}
