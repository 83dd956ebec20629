import { useCallback, useState, type ReactNode } from 'react';
import { lazy } from '../part/lazy.tsx';
import { newTraceparent } from '../browser/origin.ts';
import { keep, recall } from '../browser/storage.ts';
import { pageTexts } from '../text/text.ts';
import type { ExportedList } from './export-strip.tsx';
import type { ExportRequest } from './list-file.calls.ts';

const ExportStrip = lazy(() => pageTexts().then(() => import('./export-strip.tsx'))) as <T>(props: {
  list: ExportedList<T>;
  of: ExportRequest | string;
  onClose: () => void;
}) => ReactNode;

/** Returns the list's ordered or running export, including one from before a reload. */
export function useExport<T>(list: ExportedList<T>) {
  const { name } = list.of;
  const [request, setRequest] = useState<ExportRequest | string | undefined>(
    () => recall<ExportRequest>(`export-order-${name}`) ?? recall<string>(`export-${name}`),
  );
  const order = useCallback(
    (asked: ExportRequest) => {
      const ordered = { ...asked, key: newTraceparent() };
      // Stored until the server has it, so that an order survives a reload.
      keep(`export-order-${name}`, ordered);
      setRequest(ordered);
    },
    [name],
  );
  return {
    order,
    strip: request !== undefined && (
      <ExportStrip<T>
        // Another order is another file.
        key={typeof request === 'string' ? request : request.key}
        list={list}
        of={request}
        onClose={() => setRequest(undefined)}
      />
    ),
  };
}
