import { createClient } from '@carillon/contracts/client';
import { currentLanguage } from './language.ts';
import { newTraceparent } from './origin.ts';

/** Calls of who is not logged in: no session goes along, and nothing ends one. */
export const callPublic = createClient({
  baseUrl: '',
  headers: () => ({ 'carillon-language': currentLanguage(), traceparent: newTraceparent() }),
});
