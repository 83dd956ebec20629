import { Suspense, useEffect, type ReactNode } from 'react';
import { awaitChunk } from '../session/chunk.ts';

/** Around what is loaded only when it is asked for: one that does not come in time is told (SHELL-16). */
export const Late = ({ children, meanwhile }: { children: ReactNode; meanwhile?: ReactNode }) => (
  <Suspense
    fallback={
      <>
        {meanwhile}
        <Waiting />
      </>
    }
  >
    {children}
  </Suspense>
);

function Waiting() {
  useEffect(awaitChunk, []);
  return <span hidden aria-busy="true" />;
}
