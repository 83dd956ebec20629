import { Link } from '@tanstack/react-router';
import { useGranted } from '../../../kit/api/access.ts';
import type { Entry } from './device-log.calls.ts';
import { useWhat } from './what.ts';

/**
 * Shows an entry's text. A replacement links to the other device, which may have nothing but its log, and a task to its
 * drawer for users who see tasks.
 */
export function What({ entry }: { entry: Entry }) {
  const words = useWhat()(entry);
  const seesTasks = useGranted('/task/list');
  const other = entry.detail['deviceId'];
  if (entry.kind === 'replaced')
    return (
      <Link to="/device/deviceDetail" search={{ id: other } as never} className="link">
        {words}
      </Link>
    );
  if (entry.kind === 'replaces')
    return (
      <Link to="/device/deviceLog" search={{ deviceId: [other] } as never} className="link">
        {words}
      </Link>
    );
  if (entry.kind === 'task' && seesTasks)
    return (
      <Link
        to="."
        search={(s: Record<string, unknown>) => ({ ...s, task: entry.detail['taskId'] }) as never}
        className="link"
      >
        {words}
      </Link>
    );
  return words;
}
