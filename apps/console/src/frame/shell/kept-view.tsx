import { Activity, Suspense, useEffect, useRef, useState, type ComponentType, type ReactNode } from 'react';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';

/** Tells that a person asked for the page that he is on: it is drawn anew (SHELL-11). */
const again = new Set<() => void>();
export const reloadView = () => again.forEach((told) => told());

interface Kept {
  routeId: string;
  element: ReactNode;
  keepAlive: boolean;
}

/**
 * The page of the main layout. One that the menu marks keep-alive stays in the document when it is left, hidden and
 * asleep, so that its filters, its scroll position and a half-filled form are there again; one such page at a time
 * (SHELL-04, spec sections 2 and 9). Before the menu is known, `keepAlive` is undefined: the page is drawn as one that
 * is kept, so that the menu, when it comes, does not draw it anew under the hands of who scrolls and fills in already.
 */
export function KeptView({ keepAlive, onReload }: { keepAlive: boolean | undefined; onReload: () => void }) {
  const router = useRouter();
  const match = useMatches().at(-1);
  const [generation, setGeneration] = useState(0);
  const kept = useRef<Kept>(undefined);
  useEffect(() => {
    const told = () => {
      kept.current = undefined;
      setGeneration((n) => n + 1);
      onReload();
    };
    again.add(told);
    return () => {
      again.delete(told);
    };
  }, [onReload]);

  const routeId = match?.routeId ?? '';
  if (keepAlive !== false && kept.current?.routeId !== routeId) {
    const Page = router.routesById[routeId as keyof typeof router.routesById]?.options.component as
      | ComponentType
      | undefined;
    // One element for all times: a page that is hidden is not drawn again.
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
  // The way in which a page is drawn stays until it is left.
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
