import { Activity, Suspense, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';

/** Listeners for a request of the visible page itself, which renders it again (SHELL-11). */
const again = new Set<() => void>();
export const reloadView = () => again.forEach((listener) => listener());

interface Kept {
  routeId: string;
  element: ReactNode;
  keepAlive: boolean;
}

/**
 * The page of the main layout. A page that the menu marks keep-alive stays in the document when it is left, hidden and
 * suspended, so that its filters, scroll position and form input persist; one such page at a time (SHELL-04, spec
 * sections 2 and 9). Before the menu is known, `keepAlive` is undefined: the page is rendered as a kept one, so that
 * the arriving menu does not reset what the user already scrolled or entered.
 */
export function KeptView({ keepAlive, onReload }: { keepAlive: boolean | undefined; onReload: () => void }) {
  const router = useRouter();
  const match = useMatches().at(-1);
  const [generation, setGeneration] = useState(0);
  const kept = useRef<Kept>(undefined);
  useEffect(() => {
    const listener = () => {
      kept.current = undefined;
      setGeneration((n) => n + 1);
      onReload();
    };
    again.add(listener);
    return () => {
      again.delete(listener);
    };
  }, [onReload]);

  const routeId = match?.routeId ?? '';
  if (keepAlive !== false && kept.current?.routeId !== routeId) {
    const Page = router.routesById[routeId as keyof typeof router.routesById]?.options.component as
      | ComponentType
      | undefined;
    // A stable element: a hidden page is not rendered again.
    if (Page)
      kept.current = {
        routeId,
        element: (
          <Suspense>
            <Page />
          </Suspense>
        ),
        keepAlive: true,
      };
  }
  // The way in which a page is rendered stays until it is left.
  const showsKept = kept.current?.routeId === routeId;
  if (showsKept) kept.current!.keepAlive = keepAlive !== false;
  else if (kept.current?.keepAlive === false) kept.current = undefined;
  return (
    <>
      {kept.current && (
        <Activity key={`${kept.current.routeId} ${generation}`} mode={showsKept ? 'visible' : 'hidden'}>
          {kept.current.element}
        </Activity>
      )}
      {!showsKept && <Outlet key={generation} />}
    </>
  );
}
