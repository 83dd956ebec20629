import { noteError } from '../browser/error-log.ts';
import { StatusPage } from './status-page.tsx';

/** Shown when a page itself fails. */
export function Failure({ error }: { error: unknown }) {
  noteError('render', error);
  console.error(error);
  return <StatusPage code="500" detail={error instanceof Error ? error.message : undefined} />;
}
