import { useLayoutEffect, type RefObject } from 'react';
import { useMediaQuery } from '@mantine/hooks';

/** A drawer has the whole width up to here. */
const narrow = '(max-width: 899px)';

/**
 * Of a drawer beside a list that stays in use: whether it covers the list all the same, because there is no room beside
 * it. Then it holds the focus as a dialog does, which would else go on behind it, out of sight; and only then it says
 * to who listens that there is nothing else.
 */
export function useCovers(content: RefObject<HTMLElement | null>): boolean {
  const covers = useMediaQuery(narrow, matchMedia(narrow).matches);
  useLayoutEffect(() => {
    content.current?.closest('[role=dialog]')?.setAttribute('aria-modal', String(covers));
  });
  return covers;
}
