import { useCallback, useRef } from 'react';
import { useMediaQuery } from '@mantine/hooks';

/** A drawer has the whole width up to here. */
const narrow = '(max-width: 899px)';

/**
 * Of a drawer beside a list that stays in use: whether it covers the list all the same, because there is no room beside
 * it. Then it holds the focus as a dialog does, which would else go on behind it, out of sight; and only then it says
 * to who listens that there is nothing else. `ref` is for what is in it.
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
