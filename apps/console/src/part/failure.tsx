import { StatusPage } from './status-page.tsx';

/** What is shown when a page itself fails. */
export function Failure({ error }: { error: unknown }) {
  console.error(error);
  return <StatusPage code="500" detail={error instanceof Error ? error.message : undefined} />;
}
