import { currentLanguage } from '../browser/language.ts';
import { newTraceparent } from '../browser/origin.ts';
import { basicHeader, settings } from '../session/settings.ts';

/**
 * Returns the headers of a call without a login: AUTH-04 without a session, with the defaults (SYS-08).
 */
export const publicHeaders = async (): Promise<Record<string, string>> => ({
  authorization: basicHeader(await settings()),
  'carillon-language': currentLanguage(),
  'carillon-org': '1',
  'carillon-timezone': '1',
  traceparent: newTraceparent(),
});
