import { useEffect } from 'react';
import { settings, shortName } from '../session/settings.ts';

/**
 * Sets the document's title: the page, then the system's short name, first as stored and then as the server returns it.
 */
export function useTitle(page: string): void {
  useEffect(() => {
    const set = () => {
      document.title = `${page} · ${shortName()}`;
    };
    set();
    settings().then(set, () => {});
  }, [page]);
}
