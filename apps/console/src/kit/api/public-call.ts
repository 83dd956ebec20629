import { createClient } from '@carillon/contracts/client';
import { publicHeaders } from './public-headers.ts';

/** Calls without a login: they carry no session and end none. */
export const callPublic = createClient({ baseUrl: '', headers: publicHeaders });
