import { useEffect } from 'react';
import { settings, shortName } from '../session/settings.ts';

/** Sets the document's title: page, then the system's short name, as it is kept and again as the server has it. */
export function useTitle(page: string): void {
  useEffect(() => {
    const set = () => {
      document.title = `${page} · ${shortName()}`;
    };
    set();
    settings().then(set, () => {});
  }, [page]);
}
