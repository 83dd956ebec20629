import { createClient } from '@carillon/contracts/client';
import { publicHeaders } from './public-headers.ts';

/** Calls of who is not logged in: no session goes along, and nothing ends one. */
export const callPublic = createClient({ baseUrl: '', headers: publicHeaders });
