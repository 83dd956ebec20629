import { useEffect } from 'react';
import { knownSettings } from '../session/settings.ts';

/** Sets the document's title: page, then product. */
export function useTitle(page: string): void {
  useEffect(() => { document.title = `${page} · ${knownSettings()?.productName ?? 'Carillon'}`; }, [page]);
}
