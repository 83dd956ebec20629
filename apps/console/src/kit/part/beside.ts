import { useCallback, useRef } from 'react';
import { useMediaQuery } from '@mantine/hooks';

/** A drawer takes the whole width up to here. */
const narrow = '(max-width: 899px)';

/**
 * Returns whether a drawer beside a list covers it, because there is no space beside it. Then it traps the focus like a
 * dialog, which would otherwise move behind it, and tells screen readers that it is modal. `ref` is for its content.
 */
export function useBeside() {
  const covers = useMediaQuery(narrow, matchMedia(narrow).matches);
  const content = useRef<HTMLDivElement>(null);
  const ref = useCallback(
    (node: HTMLDivElement | null) => {
      content.current = node;
      node?.closest('[role=dialog]')?.setAttribute('aria-modal', String(covers));
    },
    [covers],
  );
  return { covers, content, ref };
}
