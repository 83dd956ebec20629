import { Link } from '@tanstack/react-router';
import type { Entry } from './device-log.calls.ts';
import { useWhat } from './what.ts';

/** Shows an entry's text; a replacement links to the other device, of which only the log may be left, and a
 * task to its drawer. */
export function What({ entry }: { entry: Entry }) {
  const words = useWhat()(entry);
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
  if (entry.kind === 'task')
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
