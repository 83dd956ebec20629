import { claimStoreSuite } from './claim-store.suite.ts';
import { MemoryClaimStore } from './memory-claim-store.ts';

claimStoreSuite('memory', async () => {
  let now = 0;
  return { store: new MemoryClaimStore({ now: () => now }), setClock: (ms) => void (now = ms) };
});
